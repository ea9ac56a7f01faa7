import { type ConsentRecord, consentEntry, subscriptionRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { printRecord } from '../record-printer.ts'
import { type Column, TablePrinter } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

const LEDGER: readonly Column<ConsentRecord>[] = [
  { head: 'AT', cell: ({ at }) => shortInstantText(at) },
  { head: 'CONSENT', cell: ({ deed, count }) => (count === 1 ? deed : `${deed} (${count} times)`) },
  { head: 'BY', cell: ({ via }) => via },
  { head: 'WORDING', cell: ({ wording }) => wording },
  { head: 'LANGUAGE', cell: ({ language }) => language ?? '' },
  { head: 'CLIENT', cell: ({ clientAddress }) => clientAddress ?? '' },
  { head: 'AGENT', cell: ({ userAgent }) => userAgent ?? '' },
]

export const subscriptionShow: Verb = {
  name: 'show',
  summary: 'Show a subscription, and what its owner agreed to',
  examples: ['rollcall subscription show 8127340912345678', 'rollcall subscription show 8127340912345678 --json'],
  define: (command, session) => {
    command.argument('<id>', 'of the subscription').action(async (subscriptionId: string) => {
      const { subscription, consents } = await session.withUseCases(({ getConsent }, caller) =>
        getConsent.execute({ subscriptionId }, caller),
      )
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
      ])
      if (session.json || consents.length === 0) return
      await session.say('')
      await new TablePrinter(session.stdout, LEDGER, { colour: session.colour }).print(consents)
    })
  },
}
