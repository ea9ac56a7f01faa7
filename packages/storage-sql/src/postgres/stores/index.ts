import {
  type AddressHash,
  type MailCapStore,
  mergedSuppressions,
  type Readers,
  type Stores,
  type SuppressionStore,
} from '@rollcall/core'
import {
  capValues,
  MAIL_CAP,
  MAIL_CAP_STORE,
  SIGN_UP_COUNT_READER,
  SIGN_UP_COUNT_STORE,
  SPENT_CHALLENGE_STORE,
} from '../../tables/abuse.ts'
import { ACCESS_TOKEN_READER, ACCESS_TOKEN_STORE } from '../../tables/access-tokens.ts'
import { AUDIT_READER } from '../../tables/audit.ts'
import { WEBHOOK_READER, WEBHOOK_STORE } from '../../tables/events.ts'
import { DELIVERABILITY_READER, DELIVERABILITY_STORE, FEEDBACK_READER, FEEDBACK_STORE } from '../../tables/feedback.ts'
import { FEED_READER, FEED_STORE } from '../../tables/feeds.ts'
import { MOVE_READER, MOVE_STORE } from '../../tables/moves.ts'
import { REMINDER_READER } from '../../tables/reminders.ts'
import { SIGN_UP_GROUP_READER } from '../../tables/sign-up-groups.ts'
import {
  SUPPRESSION_COLUMNS,
  type SuppressionRow,
  suppressionReader,
  suppressionStore,
  toSuppression,
} from '../../tables/suppressions.ts'
import { columnsOf } from '../../tables/table.ts'
import { HELD_USER_STORE, TOMBSTONE_READER, TOMBSTONE_STORE } from '../../tables/users.ts'
import type { CreateUserRepository } from '../../user-repository.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { arraysOf, rowStatement, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { postgresAuditStore } from './audit.ts'
import { postgresConsentStore, postgresKeptMailStore } from './consents.ts'
import { postgresConsoleReaders, postgresConsoleStores } from './console.ts'
import { postgresDecoyStore } from './decoys.ts'
import { postgresEventReader, postgresEventStore, type UnitEventStore } from './events.ts'
import { hostUserReader, hostUserStore } from './host-users.ts'
import { NewRows } from './new-rows.ts'
import { postgresOutboxReader, postgresOutboxStore } from './outbox.ts'
import { postgresReminderStore } from './reminders.ts'
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
  add: lock(
    ({ subject }) => keyOf.user(subject),
    ({ tokenId }) => keyOf.accessToken(tokenId),
  ),
  revoke: lock(({ tokenId }) => keyOf.accessToken(tokenId)),
  eraseOf: lock(keyOf.user),
})

const addresses = {
  take: (unit: Transaction, hashes: readonly AddressHash[]) => unit.lock(...hashes.map(keyOf.address)),
}

const deliverabilityStore = postgresStore(DELIVERABILITY_STORE, {
  find: firm(keyOf.address),
  undeliverable: addresses,
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
})

const heldUserStore = postgresStore(HELD_USER_STORE, {
  add: lock(({ user }) => keyOf.user(user.id)),
  find: firm(keyOf.user),
  remove: lock(keyOf.user),
  due: firm(),
})

const mailCaps = postgresStore(MAIL_CAP_STORE, {
  slots: firm(keyOf.address),
  slotsOf: { ...addresses, kind: 'locking' },
  put: lock(keyOf.address),
})
const CAP_COLUMNS = columnsOf(MAIL_CAP)
const PUT_CAPS = statement(
  `INSERT INTO mail_cap (${CAP_COLUMNS.join(', ')}) SELECT * FROM unnest(${arraysOf(MAIL_CAP, CAP_COLUMNS)})
    ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`,
)
const REMOVE_CAPS = statement('DELETE FROM mail_cap WHERE address = ANY ($1::text[])')
const PRUNE_CAPS = statement(
  `DELETE FROM mail_cap WHERE address IN
    (SELECT address FROM mail_cap WHERE last_at < $1 ORDER BY last_at LIMIT $2 FOR UPDATE)`,
)
const mailCapStore = (unit: Transaction): MailCapStore => ({
  ...mailCaps(unit),
  putMany: async (changed) => {
    const all = [...changed]
    const kept = all.filter(([, slots]) => slots.length > 0)
    const gone = all.filter(([, slots]) => slots.length === 0).map(([address]) => address)
    unit.lock(...all.map(([address]) => keyOf.address(address)))
    if (gone.length > 0) unit.write(REMOVE_CAPS, gone)
    if (kept.length > 0)
      unit.write(
        PUT_CAPS,
        ...valueArrays(
          CAP_COLUMNS.length,
          kept.map(([address, slots]) => capValues(address, slots)),
        ),
      )
  },
  prune: (before, limit) => unit.change(PRUNE_CAPS, before, limit),
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

const signUpCountStore = postgresStore(SIGN_UP_COUNT_STORE, { count: firm((outcome) => `count ${outcome}`) })

const spentChallengeStore = postgresStore(SPENT_CHALLENGE_STORE, { spend: lock(keyOf.challenge) })

const tombstoneStore = postgresStore(TOMBSTONE_STORE, {
  find: firm(keyOf.user),
  has: firm(keyOf.user),
  put: lock(keyOf.user),
  remove: lock(keyOf.user),
})

const webhookStore = postgresStore(WEBHOOK_STORE, {
  find: firm(keyOf.webhook),
  put: lock(({ name }) => keyOf.webhook(name)),
  remove: lock(keyOf.webhook),
})

const LOOK_SUPPRESSIONS = rowStatement<SuppressionRow>(
  `SELECT ${SUPPRESSION_COLUMNS} FROM suppression WHERE address = ANY ($1::text[]) FOR UPDATE`,
)
const ELEMENTS = 'SELECT jsonb_array_elements_text(?::jsonb)'
const suppressionReaders = postgresReader(suppressionReader(ELEMENTS))
const suppressions = postgresStore(suppressionStore(ELEMENTS), {
  findMany: { ...addresses, kind: 'locking' },
  add: lock(keyOf.address),
  remove: lock(keyOf.address),
})

const unitSuppressions = (unit: Transaction): SuppressionStore => {
  const rows = new Loader<AddressHash, SuppressionRow | undefined>(async (addresses) => {
    unit.lock(...addresses.map(keyOf.address))
    const found = await unit.ask(LOOK_SUPPRESSIONS, [...new Set(addresses)])
    const byAddress = new Map(found.map((row) => [row.address, row]))
    return (address) => byAddress.get(address)
  })
  return {
    ...suppressions(unit),
    find: async (address, mailbox = address) => {
      const general = mailbox === address ? undefined : rows.find(mailbox)
      const [own, ofMailbox] = await Promise.all([rows.find(address), general])
      return mergedSuppressions(own && toSuppression(own), ofMailbox && toSuppression(ofMailbox))
    },
  }
}

export interface UnitStores extends Stores {
  readonly events: UnitEventStore
}

/** The stores of one unit of work, which has a transaction to itself; `users` where the host keeps its users itself. */
export const postgresStores = (unit: Transaction, users?: CreateUserRepository): UnitStores => {
  const tombstones = tombstoneStore(unit)
  const cache = new RowCache(unit)
  const rows = new NewRows(unit)
  const accessTokens = accessTokenStore(unit)
  return {
    accessTokens,
    audit: postgresAuditStore(unit),
    consents: postgresConsentStore(unit, cache, rows),
    decoys: postgresDecoyStore(unit),
    deliverability: deliverabilityStore(unit),
    events: postgresEventStore(unit),
    feedback: feedbackStore(unit),
    feeds: feedStore(unit),
    heldUsers: heldUserStore(unit),
    keptMails: postgresKeptMailStore(unit, cache),
    ...postgresConsoleStores(unit),
    mailCaps: mailCapStore(unit),
    moves: moveStore(unit),
    outbox: postgresOutboxStore(unit, rows),
    reminders: postgresReminderStore(unit, cache),
    signUpCounts: signUpCountStore(unit),
    signUpGroups: postgresSignUpGroupStore(unit, cache, rows),
    spentChallenges: spentChallengeStore(unit),
    subscriptions: postgresSubscriptionStore(unit, cache, rows),
    suppressions: unitSuppressions(unit),
    tombstones,
    users: users ? hostUserStore(users, { unit, tombstones, accessTokens }) : postgresUserStore(unit),
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
    moves: postgresReader(MOVE_READER)(asked),
    outbox: postgresOutboxReader(asked),
    reminders: postgresReader(REMINDER_READER)(asked),
    signUpCounts: postgresReader(SIGN_UP_COUNT_READER)(asked),
    signUpGroups: postgresReader(SIGN_UP_GROUP_READER)(asked),
    subscriptions: postgresSubscriptionReader(ask),
    suppressions: suppressionReaders(asked),
    tombstones,
    users: users ? hostUserReader(users, { ask, tombstones, accessTokens }) : postgresUserReader(asked),
    webhookDeliveries: postgresWebhookDeliveryReader(asked),
    webhooks: postgresReader(WEBHOOK_READER)(asked),
  }
}
