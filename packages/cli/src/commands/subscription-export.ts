import { RECORD_FORMATS } from '@rollcall/core'
import { Option } from 'commander'
import { counted } from '../counted.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { WholeFile } from '../transfer/whole-file.ts'
import type { Verb } from '../verb.ts'
import { visible } from '../visible-text.ts'

interface Options {
  readonly feed?: string
  readonly status?: string
  readonly format: string
  readonly output?: string
}

const RULES =
  'Oldest first, with the evidence of consent: in NDJSON the whole ledger of each, with the wording that was read; in ' +
  'CSV the last request and confirmation in columns of their own, and the ledger as JSON. In CSV a cell that a ' +
  'spreadsheet would take for a formula has an apostrophe in front; to move subscriptions elsewhere, use NDJSON.\n\n' +
  'A file that is named with --output appears once it is complete; only its owner can read it.'

export const subscriptionExport: Verb = {
  name: 'export',
  summary: 'Write subscriptions to a file, or to standard output',
  details: RULES,
  examples: [
    'rollcall subscription export > subscriptions.ndjson',
    'rollcall subscription export --feed news --status confirmed --format csv --output news.csv',
  ],
  define: (command, session) => {
    command
      .option('--feed <name>', 'only those of this feed')
      .option('--status <status>', 'only those that are pending, confirmed or ended')
      .addOption(new Option('--format <format>', 'of the file').choices(RECORD_FORMATS).default('ndjson'))
      .option('--output <file>', 'write to this file')
      .action(async (options: Options) => await exportTo(session, options))
  },
}

const exportTo = async (session: Session, { output, ...order }: Options): Promise<void> => {
  await session.requireForeign(output)
  const file = output === undefined ? undefined : await WholeFile.begin(output)
  const onTerminal = file === undefined && session.stdout.width !== undefined
  const progress = onTerminal ? undefined : progressOf(session, { doing: 'Exporting', total: undefined })
  let count = 0
  const onProgress = (subscriptions: number): void => {
    count = subscriptions
    progress?.reach(count)
  }
  try {
    await session.withUseCases(async ({ exportSubscriptions }, caller) => {
      for await (const text of await exportSubscriptions.execute({ ...order, onProgress }, caller)) {
        session.throwIfInterrupted()
        if (file !== undefined) await file.write(text)
        else await session.stdout.write(onTerminal ? visibleLines(text) : text)
        if (session.stdout.closed) break
      }
    })
  } catch (error) {
    await file?.discard()
    throw error
  } finally {
    progress?.stop()
  }
  if (file === undefined) return
  await file.finish()
  await session.answer({ file: output, rows: count }, `Wrote ${counted(count, 'subscription')} to ${output}.`)
}

const visibleLines = (text: string): string => text.split(/\r?\n/).map(visible).join('\n')
