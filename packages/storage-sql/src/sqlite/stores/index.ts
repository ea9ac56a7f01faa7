import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { Clock, MailCapStore, OutboxReader, Readers, Stores, SubscriptionReader } from '@rollcall/core'
import { MAIL_CAP_STORE, SPENT_CHALLENGE_STORE } from '../../tables/abuse.ts'
import { ACCESS_TOKEN_READER } from '../../tables/access-tokens.ts'
import { AUDIT_READER } from '../../tables/audit.ts'
import {
  CONSOLE_SESSION_READER,
  CONSOLE_SESSION_STORE,
  DELETION_RUN_READER,
  DELETION_RUN_STORE,
  LOGIN_LINK_STORE,
} from '../../tables/console.ts'
import { EVENT_READER, WEBHOOK_READER, WEBHOOK_STORE } from '../../tables/events.ts'
import { DELIVERABILITY_READER, DELIVERABILITY_STORE, FEEDBACK_READER, FEEDBACK_STORE } from '../../tables/feedback.ts'
import { FEED_READER, FEED_STORE } from '../../tables/feeds.ts'
import { searchedIn, searching } from '../../tables/finding.ts'
import { HELD_USER_READER, TOMBSTONE_READER, TOMBSTONE_STORE } from '../../tables/identities.ts'
import type { Methods } from '../../tables/methods.ts'
import { MOVE_READER, MOVE_STORE } from '../../tables/moves.ts'
import { NUMBER_READER } from '../../tables/numbers.ts'
import { REMINDER_READER } from '../../tables/reminders.ts'
import { REQUEST_READER } from '../../tables/requests.ts'
import { SIGN_UP_GROUP_READER } from '../../tables/sign-up-groups.ts'
import { COUNT_OF_SUBSCRIPTIONS } from '../../tables/subscription-page.ts'
import { SUPPRESSION_READER, SUPPRESSION_STORE } from '../../tables/suppressions.ts'
import { type CreateUserRepository, hostUserReader } from '../../user-repository.ts'
import { asynchronous, type Invoke, type Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { sqliteAccessTokenStore } from './access-tokens.ts'
import { sqliteAuditStore } from './audit.ts'
import { sqliteConsentStore, sqliteKeptMailStore } from './consents.ts'
import { sqliteEventStore } from './events.ts'
import { readingSqlOf, sqliteHostUserStore } from './host-users.ts'
import { sqliteNumberStore } from './numbers.ts'
import { sqliteOutboxReader, sqliteOutboxStore } from './outbox.ts'
import { placesOn } from './places.ts'
import { sqliteReminderStore } from './reminders.ts'
import { sqliteRequestStore } from './requests.ts'
import { sqliteReader, sqliteStore } from './run-methods.ts'
import { sqliteSignUpGroupStore } from './sign-up-groups.ts'
import { sqliteSubscriptionReader, sqliteSubscriptionStore } from './subscriptions.ts'
import { sqliteHeldUserStore, sqliteUserReader, sqliteUserStore } from './users.ts'
import { sqliteWebhookDeliveryReader, sqliteWebhookDeliveryStore } from './webhook-deliveries.ts'

const sqliteMailCapStore = (writer: Writer): Synchronous<MailCapStore> => {
  const caps = sqliteStore(MAIL_CAP_STORE, writer)
  return {
    ...caps,
    putMany: (changed) => {
      for (const [address, slots] of changed) caps.put(address, slots)
    },
  }
}

/** The stores of a unit of work; `users` where the host keeps its users itself. */
export const sqliteStores = (writer: Writer, clock: Clock, invoke: Invoke, users?: CreateUserRepository): Stores => {
  const places = placesOn(writer)
  const store = <Port extends object>(methods: Methods<Port>) => asynchronous(sqliteStore(methods, writer), invoke)
  const tombstones = store(TOMBSTONE_STORE)
  const accessTokens = asynchronous(sqliteAccessTokenStore(writer), invoke)
  const numbers = sqliteNumberStore(writer)
  return {
    accessTokens,
    audit: asynchronous(sqliteAuditStore(writer), invoke),
    consents: asynchronous(sqliteConsentStore(writer, places), invoke),
    consoleSessions: store(CONSOLE_SESSION_STORE),
    deletionRuns: store(DELETION_RUN_STORE),
    deliverability: store(DELIVERABILITY_STORE),
    events: asynchronous(sqliteEventStore(writer, numbers), invoke),
    feedback: store(FEEDBACK_STORE),
    feeds: store(FEED_STORE),
    heldUsers: asynchronous(sqliteHeldUserStore(writer), invoke),
    keptMails: asynchronous(sqliteKeptMailStore(writer, places), invoke),
    loginLinks: store(LOGIN_LINK_STORE),
    mailCaps: asynchronous(sqliteMailCapStore(writer), invoke),
    moves: store(MOVE_STORE),
    numbers: asynchronous(numbers, invoke),
    outbox: asynchronous(sqliteOutboxStore(writer, clock), invoke),
    reminders: asynchronous(sqliteReminderStore(writer, places), invoke),
    requests: asynchronous(sqliteRequestStore(writer), invoke),
    signUpGroups: asynchronous(sqliteSignUpGroupStore(writer, places), invoke),
    spentChallenges: store(SPENT_CHALLENGE_STORE),
    subscriptions: asynchronous(sqliteSubscriptionStore(writer), invoke),
    suppressions: store(SUPPRESSION_STORE),
    tombstones,
    users: users
      ? sqliteHostUserStore(users, { writer, invoke }, tombstones, accessTokens)
      : asynchronous(sqliteUserStore(writer), invoke),
    webhookDeliveries: asynchronous(sqliteWebhookDeliveryStore(writer, clock), invoke),
    webhooks: store(WEBHOOK_STORE),
  }
}

/** What is read outside a unit of work; `peek` does not wait for the disk. */
export const sqliteReaders = (
  connection: Connection,
  clock: Clock,
  invoke: Invoke,
  peek: Invoke,
  users?: CreateUserRepository,
): Readers => {
  const reader = <Port extends object>(methods: Methods<Port>) =>
    asynchronous(sqliteReader(methods, connection), invoke)
  const tombstones = reader(TOMBSTONE_READER)
  const accessTokens = reader(ACCESS_TOKEN_READER)
  const deliverability = reader(DELIVERABILITY_READER)
  const subscriptions = asynchronous<SubscriptionReader>(sqliteSubscriptionReader(connection), invoke)
  const suppressions = reader(SUPPRESSION_READER)
  return {
    accessTokens,
    audit: reader(AUDIT_READER),
    consoleSessions: reader(CONSOLE_SESSION_READER),
    deletionRuns: reader(DELETION_RUN_READER),
    deliverability: { ...deliverability, undeliverablePrefixes: givingWay(deliverability.undeliverablePrefixes) },
    events: reader(EVENT_READER),
    feedback: reader(FEEDBACK_READER),
    feeds: reader(FEED_READER),
    heldUsers: reader(HELD_USER_READER),
    moves: reader(MOVE_READER),
    numbers: reader(NUMBER_READER),
    outbox: outboxReader(sqliteOutboxReader(connection, clock), invoke, peek),
    reminders: reader(REMINDER_READER),
    requests: reader(REQUEST_READER),
    signUpGroups: reader(SIGN_UP_GROUP_READER),
    subscriptions: {
      ...subscriptions,
      list: searching(subscriptions.list, reader(searchedIn('subscription', COUNT_OF_SUBSCRIPTIONS))),
    },
    suppressions: { ...suppressions, blockedPrefixes: givingWay(suppressions.blockedPrefixes) },
    tombstones,
    users: users
      ? hostUserReader(users(readingSqlOf(connection, invoke)), tombstones, accessTokens)
      : sqliteUserReader(connection, invoke, peek),
    webhookDeliveries: asynchronous(sqliteWebhookDeliveryReader(connection, clock), invoke),
    webhooks: reader(WEBHOOK_READER),
  }
}

/** Whether mails are still there is asked before they are sent: a withdrawal need not be on disk to keep one back. */
const outboxReader = (reader: Synchronous<OutboxReader>, invoke: Invoke, peek: Invoke): OutboxReader => ({
  ...asynchronous(reader, invoke),
  findMany: (ids) => peek(reader.findMany, ids),
})

/** For what is asked again and again until there is no more: what else the process has to do has its turn in between. */
const givingWay =
  <Place, Found>(read: (after: Place) => Promise<Found>) =>
  async (after: Place): Promise<Found> => {
    const found = await read(after)
    await nextTurnOfTheLoop()
    return found
  }
