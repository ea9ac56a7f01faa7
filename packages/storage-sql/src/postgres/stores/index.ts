import type { FeedStore, Readers, Stores } from '@rollcall/core'
import { type AlikeStores, alikeReaders, alikeStores } from '../../tables/alike.ts'
import { type CreateUserRepository, hostUserReader } from '../../user-repository.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import type { Transaction } from '../transaction.ts'
import { postgresAuditStore } from './audit.ts'
import { postgresConsentStore, postgresKeptMailStore } from './consents.ts'
import { postgresEventStore, type UnitEventStore } from './events.ts'
import { postgresHostUserStore, readingSqlOf } from './host-users.ts'
import { postgresMailCapStore } from './mail-caps.ts'
import { NewRows } from './new-rows.ts'
import { postgresNumberStore } from './numbers.ts'
import { postgresOutboxReader, postgresOutboxStore } from './outbox.ts'
import { postgresReminderStore } from './reminders.ts'
import { postgresRequestStore } from './requests.ts'
import { RowCache } from './row-cache.ts'
import { type Asked, firm, firmEach, type Guards, lock, postgresReader, postgresStore, share } from './run-methods.ts'
import { postgresSignUpGroupStore } from './sign-up-groups.ts'
import { postgresSubscriptionReader, postgresSubscriptionStore } from './subscriptions.ts'
import { postgresUserReader, postgresUserStore } from './users.ts'
import { postgresWebhookDeliveryReader, postgresWebhookDeliveryStore } from './webhook-deliveries.ts'

/** What each method of the stores that are alike locks. */
const GUARDS: { readonly [Name in keyof AlikeStores]: Guards<AlikeStores[Name]> } = {
  accessTokens: {
    find: firm(keyOf.accessToken),
    isRevoked: lock(keyOf.accessToken),
    add: {
      take: (unit, { subject, tokenId }) => {
        unit.lock(keyOf.user(subject))
        unit.lock(keyOf.accessToken(tokenId))
      },
    },
    revoke: lock(({ tokenId }) => keyOf.accessToken(tokenId)),
    eraseOf: lock(keyOf.user),
  },
  consoleSessions: {
    find: firm(),
    add: lock(({ subject }) => keyOf.user(subject)),
    eraseOf: lock(keyOf.user),
  },
  deletionRuns: {
    find: firm(keyOf.deletionRun),
    put: lock(({ id }) => keyOf.deletionRun(id)),
  },
  deliverability: {
    find: firm(keyOf.address),
    findMany: { take: (unit, addresses) => unit.lock(...addresses.map(keyOf.address)) },
    put: lock(keyOf.address),
    erase: lock(keyOf.address),
    expired: firm(),
  },
  feedback: {
    ofAddress: firm(keyOf.address),
    find: firm(keyOf.waitingFeedback),
    remove: lock(keyOf.waitingFeedback),
    counted: lock(keyOf.feedbackOf),
    count: lock(keyOf.feedbackOf),
  },
  feeds: {
    find: share(keyOf.feed),
    list: share(keyOf.feeds),
    put: lock(keyOf.feeds, ({ name }) => keyOf.feed(name)),
    remove: lock(keyOf.feeds, keyOf.feed),
    logo: share(keyOf.feed),
    putLogo: lock(keyOf.feed),
    removeLogo: lock(keyOf.feed),
  },
  heldUsers: {
    add: lock(({ user }) => keyOf.user(user.id)),
    find: firm(keyOf.user),
    remove: lock(keyOf.user),
  },
  loginLinks: {
    find: firm(keyOf.loginLink),
    remove: lock(keyOf.loginLink),
    add: lock(({ subject }) => keyOf.user(subject)),
    eraseOf: lock(keyOf.user),
  },
  moves: {
    find: firm(keyOf.move),
    ofAddress: firm(keyOf.address),
    toAddress: firm(keyOf.address),
    askedOf: firm(keyOf.address),
    movedFrom: firmEach(keyOf.subscription),
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
  },
  spentChallenges: { spend: lock(keyOf.challenge) },
  suppressions: { findMany: firmEach(keyOf.address), add: lock(keyOf.address), remove: lock(keyOf.address) },
  tombstones: { find: lock(keyOf.user), has: lock(keyOf.user), put: lock(keyOf.user), remove: lock(keyOf.user) },
  webhooks: {
    find: firm(keyOf.webhook),
    put: lock(({ name }) => keyOf.webhook(name)),
    remove: lock(keyOf.webhook),
  },
}

const storesOf = alikeStores((methods, name) => postgresStore(methods, GUARDS[name] as Guards<object>))
const readersOf = alikeReaders(postgresReader)

/** `onWritten` is called once a feed that was written is on durable storage. */
const noticing = (feeds: FeedStore, unit: Transaction, onWritten: () => void = () => undefined): FeedStore => ({
  ...feeds,
  put: async (feed) => {
    unit.afterCommit(onWritten)
    await feeds.put(feed)
  },
  remove: async (name) => {
    unit.afterCommit(onWritten)
    return await feeds.remove(name)
  },
})

export interface UnitStores extends Stores {
  readonly events: UnitEventStore
}

/** The stores of one unit of work, which has a transaction to itself; `users` if the host keeps its users itself. */
export const postgresStores = (
  unit: Transaction,
  users?: CreateUserRepository,
  onFeedsWritten?: () => void,
): UnitStores => {
  const alike = storesOf(unit)
  const { accessTokens, feeds, suppressions, tombstones } = alike
  const cache = new RowCache(unit)
  const rows = new NewRows(unit)
  const suppressed = new Loader(suppressions.findMany)
  return {
    ...alike,
    audit: postgresAuditStore(unit),
    consents: postgresConsentStore(unit, cache, rows),
    events: postgresEventStore(unit),
    feeds: noticing(feeds, unit, onFeedsWritten),
    keptMails: postgresKeptMailStore(unit, cache),
    mailCaps: postgresMailCapStore(unit),
    numbers: postgresNumberStore(unit),
    outbox: postgresOutboxStore(unit, rows),
    reminders: postgresReminderStore(unit, cache),
    requests: postgresRequestStore(unit),
    signUpGroups: postgresSignUpGroupStore(unit, cache, rows),
    subscriptions: postgresSubscriptionStore(unit, cache, rows),
    suppressions: { ...suppressions, findMany: (addresses) => suppressed.findMany(addresses) },
    users: users ? postgresHostUserStore(users, unit, tombstones, accessTokens) : postgresUserStore(unit),
    webhookDeliveries: postgresWebhookDeliveryStore(unit),
  }
}

/** What is read outside a unit of work. */
export const postgresReaders = (asked: Asked, users?: CreateUserRepository): Readers => {
  const { ask } = asked
  const alike = readersOf(asked)
  return {
    ...alike,
    outbox: postgresOutboxReader(asked),
    subscriptions: postgresSubscriptionReader(ask),
    users: users
      ? hostUserReader(users(readingSqlOf(ask)), alike.tombstones, alike.accessTokens)
      : postgresUserReader(asked),
    webhookDeliveries: postgresWebhookDeliveryReader(asked),
  }
}
