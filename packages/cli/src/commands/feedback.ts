import type { WaitingFeedbackList } from '@rollcall/client'
import { type FeedbackDecision, MOST_ITEMS } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { listVerb } from '../listing.ts'
import type { Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { counted, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'

const list = listVerb({
  summary: 'List feedback that waits for a decision',
  details:
    "Beyond 100 addresses and 5 % of a sender's recipients in a day, what a sender reports waits here: it may be broken, or " +
    'its token stolen. Addresses are known by keyed hash only.',
  examples: ['rollcall feedback list', 'rollcall feedback list --json'],
  page: (service, { limit, cursor }) => service.ask('listFeedback', { limit, cursor }),
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'CALLER', cell: ({ caller }) => caller },
    { head: 'KIND', cell: ({ kind }) => kind },
    { head: 'STATUS', cell: ({ status, permanent }) => status ?? (permanent ? 'permanent' : '') },
    { head: 'SUBSCRIPTION', cell: ({ subscription }) => subscription ?? '' },
    { head: 'ADDRESS', cell: ({ address }) => address },
    { head: 'AT', cell: ({ at }) => shortInstantText(at) },
  ],
  nothing: 'No feedback waits.',
})

interface DecisionOptions {
  readonly all?: boolean
  readonly caller?: string
}

const decisionVerb = (name: FeedbackDecision, summary: string, done: string): Verb => ({
  name,
  summary,
  details: 'What was decided already is passed over.',
  examples: [`rollcall feedback ${name} 17 18`, `rollcall feedback ${name} --all --caller mailer`],
  define: (command, session) =>
    command
      .argument('[id...]', 'as `rollcall feedback list` shows them')
      .option('--all', 'all that waits')
      .option('--caller <id>', 'with --all: only what this caller reported')
      .action(async (ids: string[], { all = false, caller: only }: DecisionOptions) => {
        if (all === ids.length > 0) throw usageError('Give either the ids of feedback or --all.')
        if (only !== undefined && !all) throw usageError('--caller goes with --all.')
        const given = ids.map(idOf)
        const decided = await session.withService((service) =>
          all ? decideAll(session, service, name, only) : decide(service, name, given),
        )
        await session.answer({ decided }, `${done} ${counted(decided, 'report')}.`)
      }),
})

const idOf = (text: string): number => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw usageError(`'${text}' is not the id of feedback. \`rollcall feedback list\` shows them.`)
}

const decide = async (service: Service, decision: FeedbackDecision, ids: readonly number[]): Promise<number> => {
  let decided = 0
  for (let first = 0; first < ids.length; first += MOST_ITEMS)
    decided += (await service.ask(`${decision}Feedback`, { body: { ids: ids.slice(first, first + MOST_ITEMS) } }))
      .decided
  return decided
}

const decideAll = async (
  session: Session,
  service: Service,
  decision: FeedbackDecision,
  only: string | undefined,
): Promise<number> => {
  let decided = 0
  for (let cursor: string | null = '0'; cursor !== null; ) {
    session.throwIfInterrupted()
    const { items, next }: WaitingFeedbackList = await service.ask('listFeedback', { cursor, limit: 200 })
    const ids = items.filter((item) => only === undefined || item.caller === only).map(({ id }) => id)
    decided += await decide(service, decision, ids)
    cursor = next
  }
  return decided
}

const MOST_READ = 1024 * 1024

const dsn: Verb = {
  name: 'dsn',
  summary: 'Take a report of a mail server about one of our mails',
  details:
    'Reads one message on standard input, as a mail server hands it over: a delivery status notification (RFC 3464), a feedback report (RFC 5965), or a bounce in plain words. It counts only if it came to an address that our mail carried, within 14 days; a complaint, only by an unsubscribe link of ours in it. Anything else is ignored, and is no failure.',
  onlyHere: 'Taking reports of mail servers',
  examples: ['rollcall feedback dsn --recipient "$RECIPIENT" < report.eml'],
  define: (command, session) =>
    command
      .requiredOption('--recipient <address>', 'the address that the message was delivered to, as its envelope has it')
      .action(async ({ recipient }: { readonly recipient: string }) => {
        const message = await messageOn(session)
        const outcome = await session.here(({ recordReport }, caller) =>
          recordReport.execute({ recipient, message }, caller),
        )
        const sentence =
          outcome.outcome === 'recorded' ? `Recorded a ${outcome.kind}.` : `Ignored the message. ${outcome.because}`
        await session.answer(outcome, sentence)
      }),
}

/** One byte more than is taken shows that it is too long. */
const messageOn = async ({ io }: Session): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of io.stdin) {
    const bytes = Buffer.from(chunk).subarray(0, MOST_READ + 1 - length)
    chunks.push(bytes)
    length += bytes.length
  }
  return Buffer.concat(chunks)
}

export const verbs: readonly Verb[] = [
  list,
  decisionVerb('accept', 'Carry out feedback that waits', 'Carried out'),
  decisionVerb('drop', 'Forget feedback that waits', 'Dropped'),
  dsn,
]
