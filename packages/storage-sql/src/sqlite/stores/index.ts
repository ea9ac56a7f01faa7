import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { Clock, MailCapStore, OutboxReader, Readers, Stores, SubscriptionReader } from '@rollcall/core'
import { capValues, MAIL_CAP_STORE, PUT_CAP, REMOVE_CAP } from '../../tables/abuse.ts'
import { alikeReaders, alikeStores } from '../../tables/alike.ts'
import { deliveryReader } from '../../tables/events.ts'
import { searchedIn, searching } from '../../tables/finding.ts'
import { OUTBOX_READER } from '../../tables/mails.ts'
import { REQUEST_STORE } from '../../tables/requests.ts'
import { COUNT_OF_SUBSCRIPTIONS } from '../../tables/subscription-page.ts'
import { type CreateUserRepository, hostUserReader } from '../../user-repository.ts'
import { asynchronous, type Invoke, type Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { sqliteAuditStore } from './audit.ts'
import { sqliteConsentStore, sqliteKeptMailStore } from './consents.ts'
import { sqliteEventStore } from './events.ts'
import { readingSqlOf, sqliteHostUserStore } from './host-users.ts'
import { sqliteNumberStore } from './numbers.ts'
import { sqliteOutboxStore } from './outbox.ts'
import { placesOn } from './places.ts'
import { sqliteReminderStore } from './reminders.ts'
import { sqliteReader, sqliteStore } from './run-methods.ts'
import { sqliteSignUpGroupStore } from './sign-up-groups.ts'
import { sqliteSubscriptionReader, sqliteSubscriptionStore } from './subscriptions.ts'
import { sqliteUserReader, sqliteUserStore } from './users.ts'
import { sqliteWebhookDeliveryStore } from './webhook-deliveries.ts'

const sqliteMailCapStore = (writer: Writer): Synchronous<MailCapStore> => {
  const connection = writer.connection
  const put = connection.prepare(PUT_CAP)
  const remove = connection.prepare(REMOVE_CAP)
  return {
    ...sqliteStore(MAIL_CAP_STORE, writer),
    put: (changed) => {
      for (const [address, slots] of changed)
        if (slots.length > 0) writer.write(put, ...capValues(address, slots))
        else writer.write(remove, address)
    },
  }
}

interface Unit {
  readonly writer: Writer
  readonly invoke: Invoke
}

interface Reading {
  readonly connection: Connection
  readonly invoke: Invoke
}

const storesOf = alikeStores(
  (methods) =>
    ({ writer, invoke }: Unit) =>
      asynchronous(sqliteStore(methods, writer), invoke),
)
const readersOf = alikeReaders(
  (methods) =>
    ({ connection, invoke }: Reading) =>
      asynchronous(sqliteReader(methods, connection), invoke),
)

/** The stores of a unit of work; `users` if the host keeps its users itself. */
export const sqliteStores = (writer: Writer, clock: Clock, invoke: Invoke, users?: CreateUserRepository): Stores => {
  const alike = storesOf({ writer, invoke })
  const places = placesOn(writer)
  const numbers = sqliteNumberStore(writer)
  return {
    ...alike,
    audit: asynchronous(sqliteAuditStore(writer), invoke),
    consents: asynchronous(sqliteConsentStore(writer, places), invoke),
    events: asynchronous(sqliteEventStore(writer, numbers), invoke),
    keptMails: asynchronous(sqliteKeptMailStore(writer, places), invoke),
    mailCaps: asynchronous(sqliteMailCapStore(writer), invoke),
    numbers: asynchronous(numbers, invoke),
    outbox: asynchronous(sqliteOutboxStore(writer, clock), invoke),
    reminders: asynchronous(sqliteReminderStore(writer, places), invoke),
    // A unit has the turn from its beginning: no other writes meanwhile.
    requests: asynchronous(sqliteStore(REQUEST_STORE, writer), invoke),
    signUpGroups: asynchronous(sqliteSignUpGroupStore(writer, places), invoke),
    subscriptions: asynchronous(sqliteSubscriptionStore(writer), invoke),
    users: users
      ? sqliteHostUserStore(users, { writer, invoke }, alike.tombstones, alike.accessTokens)
      : asynchronous(sqliteUserStore(writer), invoke),
    webhookDeliveries: asynchronous(sqliteWebhookDeliveryStore(writer, clock), invoke),
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
  const alike = readersOf({ connection, invoke })
  const { deliverability, suppressions } = alike
  const subscriptions = asynchronous<SubscriptionReader>(sqliteSubscriptionReader(connection), invoke)
  const counts = sqliteReader(searchedIn('subscription', COUNT_OF_SUBSCRIPTIONS), connection)
  return {
    ...alike,
    deliverability: { ...deliverability, undeliverablePrefixes: givingWay(deliverability.undeliverablePrefixes) },
    outbox: outboxReader(sqliteReader(OUTBOX_READER, connection, clock), invoke, peek),
    subscriptions: { ...subscriptions, list: searching(subscriptions.list, asynchronous(counts, invoke)) },
    suppressions: { ...suppressions, blockedPrefixes: givingWay(suppressions.blockedPrefixes) },
    users: users
      ? hostUserReader(users(readingSqlOf(connection, invoke)), alike.tombstones, alike.accessTokens)
      : sqliteUserReader(connection, invoke, peek),
    webhookDeliveries: asynchronous(sqliteReader(deliveryReader('min'), connection, clock), invoke),
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
