import {
  type Caller,
  type ConsentRecord,
  consentEntry,
  explanationRecord,
  subscriptionRecord,
  type TimelineEntry,
} from '@rollcall/core'
import { ExitCode, interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { refusesOneRow } from '../deletion/bulk-run.ts'
import { type Failure, failureOf } from '../failure.ts'
import { listVerb, SORT } from '../listing.ts'
import { agree, agreeToNumber, requireNamedServer, requireTerminal } from '../question.ts'
import type { Session } from '../session.ts'
import { type Column, printRecord, TablePrinter } from '../table-printer.ts'
import { counted, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { subscriptionExport, subscriptionImport } from './subscription-transfer.ts'

const list = listVerb({
  summary: 'List subscriptions',
  examples: [
    'rollcall subscription list --feed news --status confirmed',
    'rollcall subscription list --email ada@example.com',
    'rollcall subscription list --query "ada lovelace" --sort newest',
    'rollcall subscription list --limit 100 --json',
  ],
  filters: [
    ['--feed <name>', 'only those of this feed'],
    ['--status <status>', 'only those that are pending, confirmed or ended'],
    ['--email <address>', 'only those of this address, on all feeds'],
    ['--query <words>', 'only that with this id, or those whose address, domain or name have words that begin so'],
    SORT,
  ],
  page: ({ listSubscriptions }, request, caller) => listSubscriptions.execute(request, caller),
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'E-MAIL', cell: ({ email }) => email },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'FEED', cell: ({ feed }) => feed },
    { head: 'STATUS', cell: ({ status }) => status },
    { head: 'CREATED', cell: ({ createdAt }) => shortInstantText(createdAt) },
  ],
  representation: subscriptionRecord,
  nothing: 'There are no such subscriptions.',
})

const LEDGER: readonly Column<ConsentRecord>[] = [
  { head: 'AT', cell: ({ at }) => shortInstantText(at) },
  { head: 'CONSENT', cell: ({ deed, count }) => (count === 1 ? deed : `${deed} (${count} times)`) },
  { head: 'BY', cell: ({ via }) => via },
  { head: 'WORDING', cell: ({ wording }) => wording },
  { head: 'LANGUAGE', cell: ({ language }) => language ?? '' },
  { head: 'CLIENT', cell: ({ clientAddress }) => clientAddress ?? '' },
  { head: 'AGENT', cell: ({ userAgent }) => userAgent ?? '' },
]

const show: Verb = {
  name: 'show',
  summary: 'Show a subscription, and what its owner agreed to',
  examples: ['rollcall subscription show 8127340912345678', 'rollcall subscription show 8127340912345678 --json'],
  define: (command, session) =>
    command.argument('<id>', 'of the subscription').action(async (subscriptionId: string) => {
      const { subscription, consents } = await session.execute('getConsent', { subscriptionId })
      const document = { ...subscriptionRecord(subscription), consent: consents.map(consentEntry) }
      await printRecord(session, document, [
        ['ID', subscription.id],
        ['E-mail', subscription.email],
        ['Name', subscription.name],
        ['Feed', subscription.feed],
        ['Status', subscription.status],
        ['Locale', subscription.locale ?? ''],
        ['Created', shortInstantText(subscription.createdAt)],
        ['Confirmed', shortInstantText(subscription.confirmedAt)],
        ['Ended', shortInstantText(subscription.endedAt)],
        ...(subscription.movedTo === undefined ? [] : [['Moved to', subscription.movedTo] as const]),
      ])
      if (session.json || consents.length === 0) return
      await session.say('')
      await new TablePrinter(session.stdout, LEDGER, { colour: session.colour }).print(consents)
    }),
}

const TIMELINE: readonly Column<TimelineEntry>[] = [
  { head: 'AT', cell: ({ at }) => shortInstantText(at) },
  { head: 'WHAT', cell: ({ what }) => what },
  { head: 'FEED', cell: ({ feed }) => feed ?? '' },
  { head: 'UNTIL', cell: ({ until }) => shortInstantText(until) },
  { head: 'MESSAGE-ID', cell: ({ messageId }) => messageId ?? '' },
]

const explain: Verb = {
  name: 'explain',
  summary: 'Say why an address got a mail, or none',
  details:
    'What is known of the address in order of time: requests, mails that are owed, what holds them and until when, ' +
    'mails that were sent, and what the relay said. The last line says what would make a mail go out now. Each ' +
    'question is in the audit trail.',
  examples: ['rollcall subscription explain ada@example.com', 'rollcall subscription explain ada@example.com --json'],
  define: (command, session) =>
    command.argument('<address>', 'in any spelling').action(async (email: string) => {
      const explanation = await session.execute('explainSubscriptions', { email })
      const { suppression, deliverability, subscriptions, timeline, conclusion } = explanation
      const states = subscriptions.map(({ feed, status }) => `${feed}: ${status}`)
      await printRecord(session, explanationRecord(explanation), [
        ['E-mail', explanation.email],
        ['Subscriptions', states.join(', ') || 'none'],
        [
          'Suppression',
          suppression === undefined ? 'none' : `${suppression.cause}, ${shortInstantText(suppression.since)}`,
        ],
        ['Deliverability', deliverability],
      ])
      if (session.json) return
      await session.say('')
      if (timeline.length > 0) {
        await new TablePrinter(session.stdout, TIMELINE, { colour: session.colour }).print(timeline)
        await session.say('')
      }
      await session.say(conclusion)
    }),
}

interface OnBehalf extends Omit<Verb, 'define'> {
  readonly useCase: 'confirmOnBehalf' | 'endOnBehalf'
  readonly done: string
  readonly already: string
}

/** A command that does something to a subscription for its owner. */
const onBehalf = ({ useCase, done, already: alreadyDone, ...verb }: OnBehalf): Verb => ({
  ...verb,
  define: (command, session) =>
    command
      .argument('<id>', 'of the subscription')
      .requiredOption('--reason <text>', "why, for the audit trail; without the owner's name and address")
      .action(async (subscriptionId: string, { reason }: { readonly reason: string }) => {
        const { subscription, already } = await session.execute(useCase, { subscriptionId, reason })
        const { id } = subscription
        const sentence = already ? `Subscription ${id} ${alreadyDone}.` : `${done} subscription ${id}.`
        await session.answer({ changed: !already, subscription: subscriptionRecord(subscription) }, sentence)
      }),
})

const confirm = onBehalf({
  useCase: 'confirmOnBehalf',
  done: 'Confirmed',
  already: 'was confirmed already',
  name: 'confirm',
  summary: 'Confirm a subscription for its owner, who said so elsewhere',
  details: 'The ledger and the audit trail name who did it. One that has ended cannot be confirmed but by its owner.',
  examples: ['rollcall subscription confirm 8127340912345678 --reason "signed at the fair, list 3"'],
})

const end = onBehalf({
  useCase: 'endOnBehalf',
  done: 'Ended',
  already: 'had ended already',
  name: 'end',
  summary: 'End a subscription for its owner, who asked for it elsewhere',
  details: 'Its data stay as evidence of what was agreed to; `rollcall subscription erase` erases them.',
  examples: ['rollcall subscription end 8127340912345678 --reason "asked for it by letter"'],
})

const erase: Verb = {
  name: 'erase',
  summary: 'Erase subscriptions permanently',
  details:
    'Everything that belongs to them is erased, too: the ledger of consent, and mails that wait. A suppression of ' +
    'the address stays. Asks once; for more than one, you type their number. Goes on past those that are not ' +
    'there or refused, and then exits with 3.',
  examples: [
    'rollcall subscription erase 8127340912345678 --reason "asked for it, ticket 4711"',
    'rollcall subscription erase 8127340912345678 5512340912345671 --yes --json',
  ],
  define: (command, session) =>
    command
      .argument('<id...>', 'of the subscriptions')
      .option('--reason <text>', "why, for the audit trail; without the owner's name and address")
      .option('--yes', 'do not ask')
      .action(async (texts: string[], { reason, yes }: { readonly reason?: string; readonly yes?: boolean }) => {
        const ids = [...new Set(texts)]
        const [only = ''] = ids
        if (!yes) requireTerminal(session.io)
        else if (ids.length > 1) requireNamedServer(session)
        await session.withUseCases(async (useCases, caller) => {
          if (ids.length > 1) {
            if (!yes) await agreeToNumber(session, ids.length, `Type ${ids.length} to erase that many subscriptions:`)
            return await eraseMany(session, useCases, caller, ids, reason)
          }
          if (!yes) {
            const found = await useCases.getSubscription.execute({ subscriptionId: only }, caller)
            const who = found.name === '' ? found.email : `${found.name}, ${found.email}`
            await session.note(`Subscription ${found.id}: ${who}. Feed ${found.feed}, ${found.status}.`)
            await agree(session, 'Erase this subscription permanently?')
          }
          await useCases.eraseSubscription.execute({ subscriptionId: only, reason }, caller)
          await session.answer({ id: only, outcome: 'erased' }, `Erased subscription ${only}.`)
        })
      }),
}

/** Erases several, goes on past the refused ones, and ends with a report. */
const eraseMany = async (
  session: Session,
  { eraseSubscription }: CliUseCases,
  caller: Caller,
  ids: readonly string[],
  reason: string | undefined,
): Promise<void> => {
  const erased: string[] = []
  const failures: ({ readonly id: string } & Failure)[] = []
  for (const subscriptionId of ids) {
    if (session.io.signal.aborted) break
    try {
      await eraseSubscription.execute({ subscriptionId, reason }, caller)
      erased.push(subscriptionId)
    } catch (error) {
      if (!refusesOneRow(error)) throw error
      failures.push({ id: subscriptionId, ...failureOf(error) })
    }
  }
  const refused = failures.map(({ id, error, message, details }) => ({ id, error, message, details }))
  await session.answer({ erased, refused }, `Erased ${counted(erased.length, 'subscription')}.`)
  if (!session.json)
    for (const { id, message, sentence = message } of failures) await session.note(`Not erased: ${id}. ${sentence}`)
  if (erased.length + refused.length < ids.length) throw interrupted('Interrupted. The others were not erased.')
  if (refused.length > 0) session.exitCode = ExitCode.refused
}

export const verbs: readonly Verb[] = [list, show, explain, confirm, end, erase, subscriptionExport, subscriptionImport]
