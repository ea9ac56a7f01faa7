import type { Clock, Readers, Stores, UserReader } from '@rollcall/core'
import type { CreateUserRepository } from '../../user-repository.ts'
import { asynchronous, type Invoke } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { sqliteAuditReader, sqliteAuditStore } from './audit.ts'
import { sqliteConsentStore } from './consents.ts'
import { sqliteEventReader, sqliteEventStore } from './events.ts'
import { sqliteFeedReader, sqliteFeedStore } from './feeds.ts'
import { sqliteHeldUserStore } from './held-users.ts'
import { hostUserReader, hostUserStore } from './host-users.ts'
import { sqliteKeptMailStore } from './kept-mails.ts'
import { sqliteMailCapStore } from './mail-caps.ts'
import { sqliteOutboxReader, sqliteOutboxStore } from './outbox.ts'
import { rememberedAccountStatuses } from './remembered-account-statuses.ts'
import { RowCache } from './row-cache.ts'
import { sqliteSignUpCountReader, sqliteSignUpCountStore } from './sign-up-counts.ts'
import { sqliteSpentChallengeStore } from './spent-challenges.ts'
import { sqliteSubscriptionReader, sqliteSubscriptionStore } from './subscriptions.ts'
import { sqliteSuppressionReader, sqliteSuppressionStore } from './suppressions.ts'
import { sqliteTombstoneReader, sqliteTombstoneStore } from './tombstones.ts'
import { searchableUsers } from './user-search.ts'
import { sqliteUserReader, sqliteUserStore } from './users.ts'
import { sqliteWebhookDeliveryReader, sqliteWebhookDeliveryStore } from './webhook-deliveries.ts'
import { sqliteWebhookReader, sqliteWebhookStore } from './webhooks.ts'

/** The stores of a unit of work; `users` where the host keeps its users itself. */
export const sqliteStores = (writer: Writer, clock: Clock, invoke: Invoke, users?: CreateUserRepository): Stores => {
  const cache = new RowCache(writer)
  const tombstones = asynchronous(sqliteTombstoneStore(writer), invoke)
  return {
    audit: asynchronous(sqliteAuditStore(writer), invoke),
    consents: asynchronous(sqliteConsentStore(writer, cache), invoke),
    events: asynchronous(sqliteEventStore(writer), invoke),
    feeds: asynchronous(sqliteFeedStore(writer), invoke),
    heldUsers: asynchronous(sqliteHeldUserStore(writer), invoke),
    keptMails: asynchronous(sqliteKeptMailStore(writer, cache), invoke),
    mailCaps: asynchronous(sqliteMailCapStore(writer), invoke),
    outbox: asynchronous(sqliteOutboxStore(writer, clock), invoke),
    signUpCounts: asynchronous(sqliteSignUpCountStore(writer), invoke),
    spentChallenges: asynchronous(sqliteSpentChallengeStore(writer), invoke),
    subscriptions: asynchronous(sqliteSubscriptionStore(writer, cache), invoke),
    suppressions: asynchronous(sqliteSuppressionStore(writer), invoke),
    tombstones,
    users: users ? hostUserStore(users, { writer, invoke, tombstones }) : asynchronous(sqliteUserStore(writer), invoke),
    webhookDeliveries: asynchronous(sqliteWebhookDeliveryStore(writer, clock), invoke),
    webhooks: asynchronous(sqliteWebhookStore(writer), invoke),
  }
}

/** What is read outside a unit of work. */
export const sqliteReaders = (
  connection: Connection,
  clock: Clock,
  invoke: Invoke,
  /** How many transactions this process has committed. */
  ownCommits: () => number,
  users?: CreateUserRepository,
): Readers => {
  const tombstones = asynchronous(sqliteTombstoneReader(connection), invoke)
  return {
    audit: asynchronous(sqliteAuditReader(connection), invoke),
    events: asynchronous(sqliteEventReader(connection), invoke),
    feeds: asynchronous(sqliteFeedReader(connection), invoke),
    outbox: asynchronous(sqliteOutboxReader(connection, clock), invoke),
    signUpCounts: asynchronous(sqliteSignUpCountReader(connection), invoke),
    subscriptions: asynchronous(sqliteSubscriptionReader(connection), invoke),
    suppressions: asynchronous(sqliteSuppressionReader(connection), invoke),
    tombstones,
    users: users
      ? hostUserReader(users, { connection, invoke, tombstones })
      : userReader(connection, invoke, ownCommits),
    webhookDeliveries: asynchronous(sqliteWebhookDeliveryReader(connection, clock), invoke),
    webhooks: asynchronous(sqliteWebhookReader(connection), invoke),
  }
}

const userReader = (connection: Connection, invoke: Invoke, ownCommits: () => number): UserReader => {
  const synchronous = sqliteUserReader(connection)
  const accountStatus = rememberedAccountStatuses(connection, synchronous.accountStatus, ownCommits)
  const users = asynchronous<UserReader>({ ...synchronous, accountStatus }, invoke)
  return { ...users, list: searchableUsers(connection, invoke, users.list) }
}
