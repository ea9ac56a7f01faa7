import type { Readers, Stores } from '@rollcall/core'
import type { CreateUserRepository } from '../../user-repository.ts'
import type { Ask } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { postgresAuditReader, postgresAuditStore } from './audit.ts'
import { postgresConsentStore } from './consents.ts'
import { PostgresEventStore, postgresEventReader } from './events.ts'
import { postgresFeedReader, postgresFeedStore } from './feeds.ts'
import { postgresHeldUserStore } from './held-users.ts'
import { hostUserReader, hostUserStore } from './host-users.ts'
import { postgresKeptMailStore } from './kept-mails.ts'
import { postgresMailCapStore } from './mail-caps.ts'
import { NewRows } from './new-rows.ts'
import { postgresOutboxReader, postgresOutboxStore } from './outbox.ts'
import { RowCache } from './row-cache.ts'
import { postgresSignUpCountReader, postgresSignUpCountStore } from './sign-up-counts.ts'
import { postgresSpentChallengeStore } from './spent-challenges.ts'
import { postgresSubscriptionReader, postgresSubscriptionStore } from './subscriptions.ts'
import { postgresSuppressionReader, postgresSuppressionStore } from './suppressions.ts'
import { postgresTombstoneReader, postgresTombstoneStore } from './tombstones.ts'
import { postgresUserReader, postgresUserStore } from './users.ts'
import { postgresWebhookDeliveryReader, postgresWebhookDeliveryStore } from './webhook-deliveries.ts'
import { postgresWebhookReader, postgresWebhookStore } from './webhooks.ts'

export interface UnitStores extends Stores {
  readonly events: PostgresEventStore
}

/** The stores of one unit of work, which has a transaction to itself; `users` where the host keeps its users itself. */
export const postgresStores = (unit: Transaction, users?: CreateUserRepository): UnitStores => {
  const tombstones = postgresTombstoneStore(unit)
  const cache = new RowCache(unit)
  const rows = new NewRows(unit)
  return {
    audit: postgresAuditStore(unit),
    consents: postgresConsentStore(unit, cache, rows),
    events: new PostgresEventStore(unit),
    feeds: postgresFeedStore(unit),
    heldUsers: postgresHeldUserStore(unit),
    keptMails: postgresKeptMailStore(unit, cache),
    mailCaps: postgresMailCapStore(unit),
    outbox: postgresOutboxStore(unit, rows),
    signUpCounts: postgresSignUpCountStore(unit),
    spentChallenges: postgresSpentChallengeStore(unit),
    subscriptions: postgresSubscriptionStore(unit, cache, rows),
    suppressions: postgresSuppressionStore(unit),
    tombstones,
    users: users ? hostUserStore(users, { unit, tombstones }) : postgresUserStore(unit),
    webhookDeliveries: postgresWebhookDeliveryStore(unit),
    webhooks: postgresWebhookStore(unit),
  }
}

/** What is read outside a unit of work. */
export const postgresReaders = ({ ask }: { readonly ask: Ask }, users?: CreateUserRepository): Readers => {
  const tombstones = postgresTombstoneReader(ask)
  return {
    audit: postgresAuditReader(ask),
    events: postgresEventReader(ask),
    feeds: postgresFeedReader(ask),
    outbox: postgresOutboxReader(ask),
    signUpCounts: postgresSignUpCountReader(ask),
    subscriptions: postgresSubscriptionReader(ask),
    suppressions: postgresSuppressionReader(ask),
    tombstones,
    users: users ? hostUserReader(users, { ask, tombstones }) : postgresUserReader(ask),
    webhookDeliveries: postgresWebhookDeliveryReader(ask),
    webhooks: postgresWebhookReader(ask),
  }
}
