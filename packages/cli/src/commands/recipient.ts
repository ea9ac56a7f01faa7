import type { CheckedRecipients } from '@rollcall/client'
import { asSubscriptionId, FeedNotFound, MOST_CHECKED } from '@rollcall/core'
import { ExitCode, usageError } from '../cli-error.ts'
import { serverError } from '../service/server-error.ts'
import { inPath } from '../service/service.ts'
import type { Session } from '../session.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import { countingRecords } from '../transfer/record-ends.ts'
import { wordsFrom } from '../transfer/words-from.ts'
import { type Destination, withDestination, writeRecords } from '../transfer/write-records.ts'
import type { Verb } from '../verb.ts'

const list: Verb = {
  name: 'list',
  summary: 'Write the recipients of a feed, as NDJSON',
  details:
    'The first line names an event: later events have the changes that the file may lack. Then there is a line for each recipient, and the last one says how many there are: a file without it is incomplete. Blocked and undeliverable addresses are left out.\n\nA file that is named with --output appears once it is complete; only its owner can read it.',
  examples: [
    'rollcall recipient list weekly > weekly.ndjson',
    'rollcall recipient list weekly --output weekly.ndjson --replace',
    'rollcall recipient list weekly --server https://news.example.com --token-file sender.jwt',
  ],
  define: (command, session) =>
    withDestination(command)
      .argument('<feed>', 'the name of a feed')
      .action(
        async (feed: string, destination: Destination) =>
          await writeRecords(session, destination, {
            noun: 'recipient',
            open: async (service, onProgress) =>
              whole(await service.text('listRecipients', { name: inPath(FeedNotFound, feed) }), onProgress),
          }),
      ),
}

const LAST = /(?:^|\n)\{"recipients":\d+\}\n$/

/** @throws {CliError} the last line is missing: the list broke off */
async function* whole(pieces: AsyncIterable<string>, onProgress: (recipients: number) => void): AsyncGenerator<string> {
  // The first and the last are no recipients.
  const onLines = (lines: number): void => onProgress(Math.max(0, lines - 2))
  let end = ''
  for await (const piece of countingRecords(pieces, 'ndjson', onLines)) {
    end = (end + piece).slice(-100)
    yield piece
  }
  if (!LAST.test(end)) throw serverError('UnexpectedAnswer', 'The list broke off, and is incomplete: ask again.')
}

type Row = readonly [id: number, verdict: string]

const COLUMNS: readonly Column<Row>[] = [
  { head: 'ID', cell: ([id]) => id },
  { head: 'MAY BE WRITTEN TO', cell: ([, verdict]) => verdict },
]

const check: Verb = {
  name: 'check',
  summary: 'Say which recipients may be written to now',
  details:
    'Ask right before sending: a list is old as soon as it is written. Exit code 3 says that some must get no mail.',
  examples: [
    'rollcall recipient check weekly 8127340912345678',
    'rollcall recipient check weekly --from ids.txt --json',
  ],
  define: (command, session) =>
    command
      .argument('<feed>', 'the name of a feed')
      .argument('[id...]', 'ids of subscriptions')
      .option('--from <file>', 'read the ids from this file, one per line; - is standard input')
      .action(
        async (feed: string, ids: string[], { from }: { from?: string }) => await checkAll(session, feed, ids, from),
      ),
}

const checkAll = async (session: Session, feed: string, words: readonly string[], from?: string): Promise<void> => {
  const send: number[] = []
  const skip: CheckedRecipients['skip'][number][] = []
  for await (const bundle of wordsFrom(session, words, { from, atOnce: MOST_CHECKED, what: 'ids' })) {
    const checked = await session.ask('checkRecipients', {
      name: inPath(FeedNotFound, feed),
      body: { ids: bundle.map(idIn) },
    })
    send.push(...checked.send)
    skip.push(...checked.skip)
  }
  if (skip.length > 0) session.exitCode = ExitCode.refused
  if (session.json) return await session.printJson({ send, skip })
  const rows: Row[] = [
    ...send.map((id): Row => [id, 'yes']),
    ...skip.map(({ id, because }): Row => [id, `no: ${because}`]),
  ]
  await new TablePrinter(session.stdout, COLUMNS, session).print(rows)
}

const idIn = (word: string): number => {
  const id = asSubscriptionId(word)
  if (id === undefined) throw usageError(`'${word}' is not the id of a subscription. Give whole numbers.`)
  return id
}

export const verbs: readonly Verb[] = [list, check]
