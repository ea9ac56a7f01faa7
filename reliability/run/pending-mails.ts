import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../ledger/ledger.ts'
import type { Person } from '../ledger/person.ts'
import type { Random } from '../random.ts'
import type { Client } from '../service/client.ts'
import type { Store } from '../stores/store.ts'

/** Milliseconds within which the mails of a dead process must be taken over, and a margin. */
const TAKE_OVER_WITHIN = 60_000
const PATIENCE = 60_000
const LINKS_TRIED = 200

/** Persons whose first mail must still come: their subscription waits to be confirmed. */
const owedTo = ({ persons, mailbox }: Ledger): Person[] =>
  [...persons.values()].filter(
    ({ email, possible }) =>
      possible.every(({ subscription, begun }) => subscription?.status === 'pending' && begun === 1) &&
      mailbox.of(email).length === 0,
  )

/**
 * Waits until every pending mail has come, or is parked with a reason. Resolves to the milliseconds since the last
 * kill. Missing mails are reported.
 */
export const awaitMails = async (ledger: Ledger, store: Store, since: number): Promise<number> => {
  const missing = async (): Promise<Person[]> => {
    const late = owedTo(ledger)
    const parked = late.length === 0 ? new Set() : await parkedIn(store)
    return late.filter(({ id }) => !parked.has(id))
  }
  let late = await missing()
  for (; late.length > 0 && performance.now() - since < TAKE_OVER_WITHIN + PATIENCE; late = await missing())
    await sleep(50)
  for (const { email } of late) ledger.report('I3', `the mail for ${email} never came`)
  return performance.now() - since
}

const parkedIn = async (store: Store): Promise<ReadonlySet<number | undefined>> =>
  new Set((await store.pending()).filter(({ parked, error }) => parked && error).map((mail) => mail.subscriptionId))

/** Waits until no accepted mail is left in the outbox. */
export const awaitSettlement = async (ledger: Ledger, store: Store): Promise<void> => {
  const accepted = new Set<string>()
  for (const email of ledger.persons.keys())
    for (const { messageId } of ledger.mailbox.of(email)) accepted.add(messageId)
  const unsettled = async () =>
    (await store.pending()).filter(({ messageId, parked }) => !parked && accepted.has(messageId))
  const until = performance.now() + TAKE_OVER_WITHIN + PATIENCE
  let left = await unsettled()
  for (; left.length > 0 && performance.now() < until; left = await unsettled()) await sleep(50)
  for (const { messageId } of left) ledger.report('I4', `${messageId} was accepted and is still in the outbox`)
}

/** Fetches links of some mails, as a scanner would: each must show its page and change nothing. */
export const tryLinks = async (ledger: Ledger, client: Client, random: Random): Promise<void> => {
  const persons = [...ledger.persons.values()].filter(
    ({ email, possible }) =>
      ledger.mailbox.of(email).length > 0 &&
      possible.every(({ subscription, begun }) => subscription?.status === 'pending' && begun === 1),
  )
  for (let n = 0; n < Math.min(LINKS_TRIED, persons.length); n++) {
    const { email } = random.pick(persons)
    for (const link of ['confirm', 'refuse', 'unsubscribe'] as const) {
      const answer = await client.get(`/${link}/${ledger.mailbox.token(email, link)}`)
      if (answer?.status !== 200) ledger.report('I8', `the ${link} link for ${email} is answered ${answer?.status}`)
    }
  }
}
