import { HOUR, type Instant } from '../instant.ts'
import type { Randomness } from '../platform/randomness.ts'
import { membersOf, type SignUpGroup } from '../sign-up/sign-up-group-store.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import type { MailTransport } from './mail-transport.ts'
import { asksToConfirm, type OutboxEntry, type OutboxId, type OutboxStore, type PendingMail } from './outbox-store.ts'

type Occasion = Pick<PendingMail, 'kind' | 'subscriptionId' | 'address' | 'expiresAt' | 'signUpGroup'>

interface Means {
  readonly randomness: Randomness
  readonly transport: Pick<MailTransport, 'domain'>
}

/**
 * A mail to be sent from now on. Its Message-ID is complete now: even if settings change between two tries, a retry is the
 * same message.
 */
export const newMail = ({ randomness, transport }: Means, occasion: Occasion, now: Instant): PendingMail => {
  // The subscription in front lets a store of mail files be swept by it.
  const messageId = `${occasion.subscriptionId.toString(36)}.${randomness.hex(12)}@${transport.domain}`
  return { ...occasion, messageId, createdAt: now, notBefore: now }
}

export const queueMail = (outbox: OutboxStore, ports: Means, occasion: Occasion, now: Instant): Promise<OutboxId> =>
  outbox.add(newMail(ports, occasion, now))

type Mailed = Pick<Subscription, 'id' | 'lastMail'>
type MailStores = Pick<Stores, 'outbox' | 'signUpGroups' | 'subscriptions'>

/** The mail about this subscription that is still in the outbox; undefined once it is settled. */
export const waitingMail = async (outbox: OutboxStore, { id, lastMail }: Mailed): Promise<OutboxEntry | undefined> => {
  const entry = lastMail === undefined ? undefined : await outbox.find(lastMail)
  return entry !== undefined && (entry.subscriptionId === id || entry.signUpGroup !== undefined) ? entry : undefined
}

/** The mail with a link to the preferences, or about a move, that is still in the outbox; undefined once it is settled. */
export const waitingOwnMail = async (
  outbox: Pick<OutboxStore, 'find'>,
  id: SubscriptionId,
  mail: OutboxId | undefined,
): Promise<OutboxEntry | undefined> => {
  const entry = mail === undefined ? undefined : await outbox.find(mail)
  return entry?.subscriptionId === id ? entry : undefined
}

/** What was refused for good counts in no cap: so long, at least, a relay is not asked again. */
const REST = 1 * HOUR

/** Whether no other is needed: one that was given up waits for an operator, and keeps none from its reader after a while. */
export const isOnItsWay = (mail: OutboxEntry | undefined, now: Instant): mail is OutboxEntry =>
  mail !== undefined && (mail.parkedAt === undefined || Math.abs(now - mail.parkedAt) < REST)

/** Takes back the mails that still wait, of whatever kind, and says which they were. */
export const withdrawMails = async (
  stores: MailStores,
  subscription: Subscription,
): Promise<readonly OutboxEntry[]> => {
  const { outbox } = stores
  const found = [
    await withdrawMail(stores, subscription),
    await waitingOwnMail(outbox, subscription.id, subscription.preferencesMail),
  ]
  const waiting = found.filter((entry) => entry !== undefined)
  for (const { id } of waiting) await outbox.remove(id)
  return waiting
}

/** Takes back the mail that still waits, if there is one, and says which it was. */
export const withdrawMail = async (
  stores: MailStores,
  subscription: Subscription,
): Promise<OutboxEntry | undefined> => {
  const waiting = await waitingMail(stores.outbox, subscription)
  return waiting && (await takeBack(stores, waiting, [subscription.id])) ? waiting : undefined
}

/** Takes back a mail of these subscriptions. One about several feeds stays, as long as another of them waits for it. */
export const takeBack = async (
  stores: MailStores,
  entry: OutboxEntry,
  leaving: readonly SubscriptionId[],
): Promise<boolean> => {
  const heir = entry.signUpGroup === undefined ? undefined : await heirOf(stores, entry, entry.signUpGroup, leaving)
  if (heir === undefined) await stores.outbox.remove(entry.id)
  else if (leaving.includes(entry.subscriptionId)) await stores.outbox.reassign(entry.id, heir)
  return heir === undefined
}

const heirOf = async (
  { signUpGroups, subscriptions }: MailStores,
  { id: mail, kind }: OutboxEntry,
  group: SignUpGroup,
  leaving: readonly SubscriptionId[],
): Promise<SubscriptionId | undefined> => {
  const wanted = asksToConfirm(kind) ? 'pending' : 'confirmed'
  for (const { id } of await membersOf(signUpGroups, group)) {
    const other = leaving.includes(id) ? undefined : await subscriptions.find(id)
    if (other?.lastMail === mail && other.status === wanted) return id
  }
  return undefined
}
