import type { FeedStore, Readers, Stores } from '@rollcall/core'
import { SPENT_CHALLENGE_STORE } from '../../tables/abuse.ts'
import { ACCESS_TOKEN_READER, ACCESS_TOKEN_STORE } from '../../tables/access-tokens.ts'
import { AUDIT_READER } from '../../tables/audit.ts'
import { WEBHOOK_READER, WEBHOOK_STORE } from '../../tables/events.ts'
import { DELIVERABILITY_READER, DELIVERABILITY_STORE, FEEDBACK_READER, FEEDBACK_STORE } from '../../tables/feedback.ts'
import { FEED_READER, FEED_STORE } from '../../tables/feeds.ts'
import { HELD_USER_READER, HELD_USER_STORE, TOMBSTONE_READER, TOMBSTONE_STORE } from '../../tables/identities.ts'
import { MOVE_READER, MOVE_STORE } from '../../tables/moves.ts'
import { REMINDER_READER } from '../../tables/reminders.ts'
import { SIGN_UP_GROUP_READER } from '../../tables/sign-up-groups.ts'
import { SUPPRESSION_READER } from '../../tables/suppressions.ts'
import { type CreateUserRepository, hostUserReader } from '../../user-repository.ts'
import { keyOf } from '../lock-keys.ts'
import type { Transaction } from '../transaction.ts'
import { postgresAuditStore } from './audit.ts'
import { postgresConsentStore, postgresKeptMailStore } from './consents.ts'
import { postgresConsoleReaders, postgresConsoleStores } from './console.ts'
import { postgresEventReader, postgresEventStore, type UnitEventStore } from './events.ts'
import { postgresHostUserStore, readingSqlOf } from './host-users.ts'
import { lockIdentity } from './identities.ts'
import { postgresMailCapStore, postgresSuppressionStore } from './mailboxes.ts'
import { NewRows } from './new-rows.ts'
import { postgresNumberReader, postgresNumberStore } from './numbers.ts'
import { postgresOutboxReader, postgresOutboxStore } from './outbox.ts'
import { postgresReminderStore } from './reminders.ts'
import { postgresRequestReader, postgresRequestStore } from './requests.ts'
import { RowCache } from './row-cache.ts'
import { type Asked, firm, lock, postgresReader, postgresStore, share } from './run-methods.ts'
import { postgresSignUpGroupStore } from './sign-up-groups.ts'
import { postgresSubscriptionReader, postgresSubscriptionStore } from './subscriptions.ts'
import { postgresUserReader, postgresUserStore } from './users.ts'
import { postgresWebhookDeliveryReader, postgresWebhookDeliveryStore } from './webhook-deliveries.ts'

/** Stores of one unit whose methods are described in `tables`, with what each method locks. */
const accessTokenStore = postgresStore(ACCESS_TOKEN_STORE, {
  find: firm(keyOf.accessToken),
  isRevoked: lock(keyOf.accessToken),
  add: {
    take: (unit, { subject, tokenId }) => {
      lockIdentity(unit, subject)
      unit.lock(keyOf.accessToken(tokenId))
    },
  },
  revoke: lock(({ tokenId }) => keyOf.accessToken(tokenId)),
  eraseOf: { take: lockIdentity },
})

const deliverabilityStore = postgresStore(DELIVERABILITY_STORE, {
  find: firm(keyOf.address),
  findMany: { take: (unit, addresses) => unit.lock(...addresses.map(keyOf.address)) },
  undeliverable: { take: (unit, addresses) => unit.lock(...addresses.map(keyOf.address)) },
  put: lock(keyOf.address),
  remove: lock(keyOf.address),
  erase: lock(keyOf.address),
  expired: firm(),
})

const feedbackStore = postgresStore(FEEDBACK_STORE, {
  ofAddress: firm(keyOf.address),
  find: firm(keyOf.waitingFeedback),
  remove: lock(keyOf.waitingFeedback),
  counted: lock(keyOf.feedbackOf),
  count: lock(keyOf.feedbackOf),
})

const feedStore = postgresStore(FEED_STORE, {
  find: share(keyOf.feed),
  list: share(keyOf.feeds),
  put: lock(keyOf.feeds, ({ name }) => keyOf.feed(name)),
  remove: lock(keyOf.feeds, keyOf.feed),
  logo: share(keyOf.feed),
  putLogo: lock(keyOf.feed),
  removeLogo: lock(keyOf.feed),
})

/** `onWritten` is called once a feed that was written is on durable storage. */
const unitFeeds = (unit: Transaction, onWritten: () => void = () => undefined): FeedStore => {
  const feeds = feedStore(unit)
  return {
    ...feeds,
    put: async (feed) => {
      unit.afterCommit(onWritten)
      await feeds.put(feed)
    },
    remove: async (name) => {
      unit.afterCommit(onWritten)
      return await feeds.remove(name)
    },
  }
}

const heldUserStore = postgresStore(HELD_USER_STORE, {
  add: { take: (unit, { user }) => lockIdentity(unit, user.id) },
  find: { take: lockIdentity, kind: 'locking' },
  remove: { take: lockIdentity },
})

const moveStore = postgresStore(MOVE_STORE, {
  find: firm(keyOf.move),
  ofAddress: firm(keyOf.address),
  toAddress: firm(keyOf.address),
  askedOf: firm(keyOf.address),
  movedFrom: { take: (unit, ids) => unit.lock(...ids.map(keyOf.subscription)), kind: 'locking' },
  movedTo: firm(keyOf.subscription),
  ofMove: firm(keyOf.move),
  put: lock(
    ({ address }) => keyOf.address(address),
    ({ id }) => keyOf.move(id),
  ),
  remove: lock(keyOf.move),
  over: firm(),
  link: lock(
    ({ oldId }) => keyOf.subscription(oldId),
    ({ newId }) => keyOf.subscription(newId),
  ),
  unlink: lock(keyOf.subscription),
  touches: lock(keyOf.subscription),
})

const spentChallengeStore = postgresStore(SPENT_CHALLENGE_STORE, { spend: lock(keyOf.challenge) })

const tombstoneStore = postgresStore(TOMBSTONE_STORE, {
  find: { take: lockIdentity },
  has: { take: lockIdentity },
  put: { take: lockIdentity },
  remove: { take: lockIdentity },
})

const webhookStore = postgresStore(WEBHOOK_STORE, {
  find: firm(keyOf.webhook),
  put: lock(({ name }) => keyOf.webhook(name)),
  remove: lock(keyOf.webhook),
})

export interface UnitStores extends Stores {
  readonly events: UnitEventStore
}

/** The stores of one unit of work, which has a transaction to itself; `users` where the host keeps its users itself. */
export const postgresStores = (
  unit: Transaction,
  users?: CreateUserRepository,
  onFeedsWritten?: () => void,
): UnitStores => {
  const tombstones = tombstoneStore(unit)
  const cache = new RowCache(unit)
  const rows = new NewRows(unit)
  const accessTokens = accessTokenStore(unit)
  return {
    accessTokens,
    audit: postgresAuditStore(unit),
    consents: postgresConsentStore(unit, cache, rows),
    deliverability: deliverabilityStore(unit),
    events: postgresEventStore(unit),
    feedback: feedbackStore(unit),
    feeds: unitFeeds(unit, onFeedsWritten),
    heldUsers: heldUserStore(unit),
    keptMails: postgresKeptMailStore(unit, cache),
    ...postgresConsoleStores(unit),
    mailCaps: postgresMailCapStore(unit),
    moves: moveStore(unit),
    numbers: postgresNumberStore(unit),
    outbox: postgresOutboxStore(unit, rows),
    reminders: postgresReminderStore(unit, cache),
    requests: postgresRequestStore(unit),
    signUpGroups: postgresSignUpGroupStore(unit, cache, rows),
    spentChallenges: spentChallengeStore(unit),
    subscriptions: postgresSubscriptionStore(unit, cache, rows),
    suppressions: postgresSuppressionStore(unit),
    tombstones,
    users: users ? postgresHostUserStore(users, unit, tombstones, accessTokens) : postgresUserStore(unit),
    webhookDeliveries: postgresWebhookDeliveryStore(unit),
    webhooks: webhookStore(unit),
  }
}

/** What is read outside a unit of work. */
export const postgresReaders = (asked: Asked, users?: CreateUserRepository): Readers => {
  const { ask } = asked
  const tombstones = postgresReader(TOMBSTONE_READER)(asked)
  const accessTokens = postgresReader(ACCESS_TOKEN_READER)(asked)
  return {
    accessTokens,
    audit: postgresReader(AUDIT_READER)(asked),
    ...postgresConsoleReaders(asked),
    deliverability: postgresReader(DELIVERABILITY_READER)(asked),
    events: postgresEventReader(asked),
    feedback: postgresReader(FEEDBACK_READER)(asked),
    feeds: postgresReader(FEED_READER)(asked),
    heldUsers: postgresReader(HELD_USER_READER)(asked),
    moves: postgresReader(MOVE_READER)(asked),
    numbers: postgresNumberReader(asked),
    outbox: postgresOutboxReader(asked),
    reminders: postgresReader(REMINDER_READER)(asked),
    requests: postgresRequestReader(asked),
    signUpGroups: postgresReader(SIGN_UP_GROUP_READER)(asked),
    subscriptions: postgresSubscriptionReader(ask),
    suppressions: postgresReader(SUPPRESSION_READER)(asked),
    tombstones,
    users: users ? hostUserReader(users(readingSqlOf(ask)), tombstones, accessTokens) : postgresUserReader(asked),
    webhookDeliveries: postgresWebhookDeliveryReader(asked),
    webhooks: postgresReader(WEBHOOK_READER)(asked),
  }
}
