import type { Consent, Explanation } from '@rollcall/client'
import { asSubscriptionId, SubscriptionNotFound } from '@rollcall/core'
import { ExitCode, interrupted } from '../cli-error.ts'
import { type Failure, failureOf, refusesOneRow } from '../failure.ts'
import { listVerb, SORT } from '../listing.ts'
import { agree, agreeToNumber, requireNamedServer, requireTerminal } from '../question.ts'
import type { Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { type Column, printRecord, TablePrinter } from '../table-printer.ts'
import { counted, shortInstantText } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { subscriptionExport, subscriptionImport } from './subscription-transfer.ts'

// Other words than numbers are endpoints of their own.
const subscriptionWith = (text: string) => {
  const id = asSubscriptionId(text)
  if (id === undefined) throw new SubscriptionNotFound()
  return { subscriptionId: id }
}

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
  page: (service, { feed, status, email, query, sort, limit, cursor }) =>
    service.ask('listSubscriptions', { feed, status, email, query, sort, limit, cursor }),
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'E-MAIL', cell: ({ email }) => email },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'FEED', cell: ({ feed }) => feed },
    { head: 'STATUS', cell: ({ status }) => status },
    { head: 'CREATED', cell: ({ created_at }) => shortInstantText(created_at) },
  ],
  nothing: 'No subscription was found.',
})

const LEDGER: readonly Column<Consent>[] = [
  { head: 'AT', cell: ({ at }) => shortInstantText(at) },
  { head: 'CONSENT', cell: ({ deed, count }) => (count === 1 ? deed : `${deed} (${count} times)`) },
  { head: 'BY', cell: ({ via }) => via },
  { head: 'WORDING', cell: ({ wording }) => wording },
  { head: 'LANGUAGE', cell: ({ language }) => language ?? '' },
  { head: 'CLIENT', cell: ({ client_address }) => client_address ?? '' },
  { head: 'AGENT', cell: ({ user_agent }) => user_agent ?? '' },
]

const show: Verb = {
  name: 'show',
  summary: 'Show a subscription, and what its owner agreed to',
  examples: ['rollcall subscription show 8127340912345678', 'rollcall subscription show 8127340912345678 --json'],
  define: (command, session) =>
    command.argument('<id>', 'of the subscription').action(async (subscriptionId: string) => {
      const named = subscriptionWith(subscriptionId)
      const [subscription, { items: consents }] = await session.withService(
        async (service) =>
          [await service.ask('getSubscription', named), await service.ask('getConsent', named)] as const,
      )
      const document = { ...subscription, consent: consents }
      await printRecord(session, document, [
        ['ID', subscription.id],
        ['E-mail', subscription.email],
        ['Name', subscription.name],
        ['Feed', subscription.feed],
        ['Status', subscription.status],
        ['Locale', subscription.locale ?? ''],
        ['Created', shortInstantText(subscription.created_at)],
        ['Confirmed', shortInstantText(subscription.confirmed_at)],
        ['Ended', shortInstantText(subscription.ended_at)],
        ...(subscription.moved_to === undefined ? [] : [['Moved to', subscription.moved_to] as const]),
      ])
      if (session.json || consents.length === 0) return
      await session.say('')
      await new TablePrinter(session.stdout, LEDGER, { colour: session.colour }).print(consents)
    }),
}

const TIMELINE: readonly Column<Explanation['timeline'][number]>[] = [
  { head: 'AT', cell: ({ at }) => shortInstantText(at) },
  { head: 'WHAT', cell: ({ what }) => what },
  { head: 'FEED', cell: ({ feed }) => feed ?? '' },
  { head: 'UNTIL', cell: ({ until }) => shortInstantText(until) },
  { head: 'MESSAGE-ID', cell: ({ message_id }) => message_id ?? '' },
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
      const explanation = await session.ask('explainSubscriptions', { email })
      const { suppression, deliverability, subscriptions, timeline, conclusion } = explanation
      const states = subscriptions.map(({ feed, status }) => `${feed}: ${status}`)
      await printRecord(session, explanation, [
        ['E-mail', explanation.email],
        ['Subscriptions', states.join(', ') || 'none'],
        ['Suppression', suppression === null ? 'none' : `${suppression.cause}, ${shortInstantText(suppression.since)}`],
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
  readonly operation: 'confirmOnBehalf' | 'endOnBehalf'
  readonly done: string
  readonly already: string
}

/** A command that does something to a subscription for its owner. */
const onBehalf = ({ operation, done, already: alreadyDone, ...verb }: OnBehalf): Verb => ({
  ...verb,
  define: (command, session) =>
    command
      .argument('<id>', 'of the subscription')
      .requiredOption('--reason <text>', "why, for the audit trail; without the owner's name and address")
      .action(async (subscriptionId: string, { reason }: { readonly reason: string }) => {
        const named = subscriptionWith(subscriptionId)
        const [before, subscription] = await session.withService(
          async (service) =>
            [
              await service.ask('getSubscription', named),
              await service.ask(operation, { ...named, body: { reason } }),
            ] as const,
        )
        const already = before.status === subscription.status
        const { id } = subscription
        const sentence = already ? `Subscription ${id} ${alreadyDone}.` : `${done} subscription ${id}.`
        await session.answer({ changed: !already, subscription }, sentence)
      }),
})

const confirm = onBehalf({
  operation: 'confirmOnBehalf',
  done: 'Confirmed',
  already: 'was confirmed already',
  name: 'confirm',
  summary: 'Confirm a subscription for its owner, who said so elsewhere',
  details: 'The ledger and the audit trail name who did it. One that has ended cannot be confirmed but by its owner.',
  examples: ['rollcall subscription confirm 8127340912345678 --reason "signed at the fair, list 3"'],
})

const end = onBehalf({
  operation: 'endOnBehalf',
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
        if (!yes) requireTerminal(session)
        else if (ids.length > 1) requireNamedServer(session)
        await session.withService(async (service) => {
          if (ids.length > 1) {
            if (!yes) await agreeToNumber(session, ids.length, `Type ${ids.length} to erase that many subscriptions:`)
            return await eraseMany(session, service, ids, reason)
          }
          if (!yes) {
            const found = await service.ask('getSubscription', subscriptionWith(only))
            const who = found.name === '' ? found.email : `${found.name}, ${found.email}`
            await session.note(`Subscription ${found.id}: ${who}. Feed ${found.feed}, ${found.status}.`)
            await agree(session, 'Erase this subscription permanently?')
          }
          await service.ask('eraseSubscription', { ...subscriptionWith(only), reason })
          await session.answer({ id: only, outcome: 'erased' }, `Erased subscription ${only}.`)
        })
      }),
}

/** Erases several, goes on past the refused ones, and ends with a report. */
const eraseMany = async (
  session: Session,
  service: Service,
  ids: readonly string[],
  reason: string | undefined,
): Promise<void> => {
  const erased: string[] = []
  const failures: ({ readonly id: string } & Failure)[] = []
  for (const subscriptionId of ids) {
    if (session.io.signal.aborted) break
    try {
      await service.ask('eraseSubscription', { ...subscriptionWith(subscriptionId), reason })
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
