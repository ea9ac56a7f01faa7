import { EmailTaken, type SubscriptionId, type User, type UserId, UserNameTaken } from '@rollcall/core'
import { ACCESS_TOKEN } from '../../tables/access-tokens.ts'
import { HEAD } from '../../tables/audit.ts'
import { EVENT, EVENT_FLOOR } from '../../tables/events.ts'
import { SUBSCRIPTION } from '../../tables/subscriptions.ts'
import { mergeSuppressions } from '../../tables/suppressions.ts'
import { columnsOf } from '../../tables/table.ts'
import { toUser, type UserRow } from '../../tables/users.ts'
import { type Connection, pluck } from '../connection.ts'
import { ACCESS, buried, DELETED, ERASED_WHILE_HELD, LIMITED_SINCE, RESTORED } from './carried-users.ts'
import { unfit } from './draft.ts'
import { givenOut, type Lineage, lineageOf, sinceBackup } from './lineage.ts'
import { addressOf, NOTHING_WITHDRAWN, type OpenDraft, type Reapplied, withdraw } from './withdraw.ts'
import { forgetRequests, withdrawnSince } from './withdrawn-requests.ts'

/** What was there already gets the number that it was given since, and what came since is added as it is. */
const goneOn = (table: string, number: string): string[] => [
  `UPDATE ${table} SET ${number} = r.${number} FROM replaced.${table} AS r
    WHERE r.id = ${table}.id AND ${table}.${number} IS NULL AND r.${number} IS NOT NULL`,
  `INSERT INTO ${table} SELECT * FROM replaced.${table} WHERE id > ${givenOut(table)} ORDER BY id`,
]

/** The trail and the events go on where they were: both are of one piece, and positions come once. */
const TRAIL = [
  ...goneOn('event', 'position'),
  ...goneOn('audit_record', 'sequence'),
  `INSERT INTO audit_seal SELECT * FROM replaced.audit_seal
    WHERE last > (SELECT coalesce(max(last), 0) FROM audit_seal) ORDER BY last`,
  `INSERT OR REPLACE INTO instance SELECT * FROM replaced.instance WHERE name = '${HEAD}'`,
]

/** What has left must not go out twice. Webhooks are what they are now: one that was taken away is not sent to again. */
const QUEUES = [
  'DELETE FROM waiting_feedback',
  'INSERT INTO waiting_feedback SELECT * FROM replaced.waiting_feedback',
  'DELETE FROM outbox WHERE id NOT IN (SELECT id FROM replaced.outbox)',
  'DELETE FROM webhook_delivery',
  'DELETE FROM webhook',
  'INSERT INTO webhook SELECT * FROM replaced.webhook',
  'INSERT INTO webhook_delivery SELECT * FROM replaced.webhook_delivery',
]

/** Limits hold on, and numbers that were given out are not given out again. */
const LIMITS = [
  `INSERT INTO mail_cap SELECT * FROM replaced.mail_cap WHERE true
    ON CONFLICT DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`,
  `INSERT INTO instance SELECT * FROM replaced.instance WHERE name = '${EVENT_FLOOR}'
    ON CONFLICT DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))`,
  'INSERT OR IGNORE INTO spent_challenge SELECT * FROM replaced.spent_challenge',
  `INSERT INTO monthly_mail SELECT * FROM replaced.monthly_mail WHERE true
    ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`,
  'INSERT OR IGNORE INTO feedback_seen SELECT * FROM replaced.feedback_seen',
  `INSERT INTO feedback_count SELECT * FROM replaced.feedback_count WHERE true
    ON CONFLICT DO UPDATE SET addresses = max(addresses, excluded.addresses)`,
  `UPDATE sqlite_sequence SET seq = max(sqlite_sequence.seq, r.seq) FROM replaced.sqlite_sequence AS r
    WHERE r.name = sqlite_sequence.name`,
  `INSERT INTO sqlite_sequence SELECT * FROM replaced.sqlite_sequence
    WHERE name NOT IN (SELECT name FROM sqlite_sequence)`,
]

const EVENT_VALUES = columnsOf(EVENT, 'id').join(', ')

/** Of another trail: under ids of their own, and behind what the backup has. */
const OTHER_EVENTS = `INSERT INTO event (${EVENT_VALUES}) SELECT ${EVENT_VALUES} FROM replaced.event
  WHERE position IS NULL OR position > (SELECT coalesce(max(position), 0) FROM event)
  ORDER BY position IS NULL, position, id`

/** Where the database goes on from the backup, it knows more of every address: what was lifted, too. */
const FORGOTTEN = 'DELETE FROM deliverability WHERE address NOT IN (SELECT address FROM replaced.deliverability)'

const KNOWN = 'state, since, status, days, expires_at'
const DELIVERABILITY = `INSERT INTO deliverability (address, ${KNOWN})
  SELECT address, ${KNOWN} FROM replaced.deliverability WHERE true
  ON CONFLICT (address) DO UPDATE SET state = excluded.state, since = excluded.since, status = excluded.status,
    days = excluded.days, expires_at = excluded.expires_at`

/** The end of a consent that was given. Who signed up again after it has not confirmed that. */
const LAST_END = "FROM replaced.consent AS c WHERE c.subscription = r.seq AND c.deed IN ('ended', 'refused', 'moved')"

const ENDED = `SELECT r.id, coalesce(r.ended_at, (SELECT max(c.at) ${LAST_END}), r.created_at)
  FROM replaced.subscription AS r JOIN subscription AS m ON m.id = r.id
  WHERE (r.status = 'e' AND m.status <> 'e') OR (r.status = 'p' AND m.status = 'c')`

/** The ledger of a subscription as it is in what is replaced. */
const LEDGER = `SELECT m.seq, d.n, d.at, d.deed, d.via, d.client_address, d.user_agent, d.wording, d.language, d.count
  FROM subscription AS m JOIN replaced.subscription AS r ON r.id = m.id
    JOIN replaced.consent AS d ON d.subscription = r.seq`

/** What the ledgers of those that have ended say since. */
const CONSENTS = `INSERT OR IGNORE INTO consent ${LEDGER}
  WHERE m.status = 'e' AND (r.status = 'e' OR d.n <= (SELECT max(c.n) ${LAST_END}))`

const SUBSCRIPTION_VALUES = columnsOf(SUBSCRIPTION, 'seq', 'last_mail', 'preferences_mail').join(', ')

const SAME_LIFE = 'subscription AS m JOIN replaced.subscription AS r ON r.id = m.id AND r.episode = m.episode'

/** Reminders that are planned of subscriptions that are what they were: those that have gone out since are planned no more. */
const REMINDERS = [
  `DELETE FROM reminder WHERE subscription IN (SELECT m.seq FROM ${SAME_LIFE})`,
  `INSERT INTO reminder SELECT m.seq, p.episode, p.remind_at, p.expires_at, p.sign_up_group
    FROM ${SAME_LIFE} JOIN replaced.reminder AS p ON p.subscription = r.seq`,
]

/** Values of fields that were erased since, by their owner or with the field. */
const FIELDS = `UPDATE subscription SET fields = nullif(json_patch(subscription.fields, (SELECT json_group_object(key, NULL)
    FROM json_each(subscription.fields) WHERE key NOT IN (SELECT key FROM json_each(coalesce(r.fields, '{}'))))), '{}')
  FROM replaced.subscription AS r
  WHERE r.id = subscription.id AND subscription.fields IS NOT NULL`

/** Which subscriptions were made of those of the backup by changes of address, one after another: asked before anything is taken out. */
const MADE = `WITH RECURSIVE made (id) AS (
    SELECT new_id FROM replaced.moved_subscription WHERE old_id IN (SELECT id FROM main.subscription)
    UNION SELECT new_id FROM replaced.moved_subscription JOIN made ON old_id = made.id)
  SELECT id FROM made WHERE id NOT IN (SELECT id FROM main.subscription)`

/** What had moved in the backup, and is confirmed at its old address again since. */
const UNDONE = `SELECT m.old_id FROM main.moved_subscription AS m JOIN main.subscription AS o ON o.id = m.old_id
  JOIN replaced.subscription AS r ON r.id = m.old_id AND r.status = 'c'
  WHERE m.move IS NOT NULL AND o.status = 'e' AND o.episode = m.episode
    AND m.old_id NOT IN (SELECT old_id FROM replaced.moved_subscription)`

/** Who has undone a move since would have nothing left, either: the new ones have ended. */
const undoneSince = (ids: readonly number[]): readonly string[] => {
  const undone = `IN (${ids.join(', ')})`
  return [
    `UPDATE subscription SET status = r.status, episode = r.episode, confirmed_at = r.confirmed_at, ended_at = r.ended_at,
      expires_at = r.expires_at FROM replaced.subscription AS r WHERE r.id = subscription.id AND r.id ${undone}`,
    `INSERT OR IGNORE INTO consent ${LEDGER} WHERE m.id ${undone}`,
  ]
}

/** Who has moved since would have nothing left: the old ones are taken out, and the new ones came after the backup. */
const madeSince = (ids: readonly number[]): readonly string[] => {
  const made = `IN (${ids.join(', ')})`
  return [
    `INSERT INTO subscription (${SUBSCRIPTION_VALUES}) SELECT ${SUBSCRIPTION_VALUES} FROM replaced.subscription
      WHERE id ${made} ORDER BY seq`,
    `INSERT INTO consent ${LEDGER} WHERE m.id ${made}`,
  ]
}

/** What old ids stand for. An old one that was taken out has the episode again by which its move knows it. */
const MOVES = [
  'DELETE FROM moved_subscription',
  `INSERT INTO moved_subscription SELECT * FROM replaced.moved_subscription
    WHERE new_id IN (SELECT id FROM subscription) OR old_id IN (SELECT id FROM subscription)`,
  'DELETE FROM address_move',
  'INSERT INTO address_move SELECT * FROM replaced.address_move WHERE id IN (SELECT id FROM subscription)',
  `UPDATE subscription SET episode = m.episode FROM moved_subscription AS m
    WHERE m.old_id = subscription.id AND m.episode <> '' AND subscription.status = 'e'`,
  // A mail that tells the old address is owed, whatever came after the backup.
  'INSERT OR IGNORE INTO outbox SELECT * FROM replaced.outbox WHERE id IN (SELECT mail FROM address_move)',
]

/** Link keys that were revoked since must not come back, nor settings that the service had before. */
const INSTANCE =
  "INSERT OR REPLACE INTO instance SELECT * FROM replaced.instance WHERE name IN ('link-keys', 'service-settings')"

export interface Carried extends Reapplied {
  readonly lineage: Lineage
  /** Subscriptions that were erased or ended since, whether or not the backup has them. */
  readonly withdrawn: ReadonlySet<SubscriptionId>
}

/**
 * Brings into a backup what was withdrawn in the database that it replaces, and what must not be done again. To be
 * called in a transaction; the replaced database is attached as `replaced`, and is only read.
 */
export const carryOver = async (draft: OpenDraft): Promise<Carried> => {
  const { connection } = draft.writer
  const run = (sql: string): number => connection.prepare(sql).run().changes
  const lineage = lineageOf(connection)
  const erased = erasedSince(connection, lineage)
  const withdrawn = withdrawnSince(connection, sinceBackup(lineage))
  run(INSTANCE)
  for (const sql of lineage === 'branched' ? [OTHER_EVENTS] : [...TRAIL, ...QUEUES, FORGOTTEN]) run(sql)
  for (const sql of [...LIMITS, DELIVERABILITY]) run(sql)
  const [made, undone] = [MADE, UNDONE].map((sql) => (lineage === 'branched' ? [] : pluck<number>(connection, sql)))
  const users = await carryOverUsers(draft, lineage)
  await withdraw(draft, { ...NOTHING_WITHDRAWN, erased }, 0)
  const ended = new Map(connection.prepare<[], [number, number]>(ENDED).raw().all())
  const taken = await withdraw(draft, { ...NOTHING_WITHDRAWN, ended }, 0)
  if (ended.size > 0) run(CONSENTS)
  for (const sql of [...madeSince(made ?? []), ...undoneSince(undone ?? [])]) run(sql)
  if (lineage !== 'branched') for (const sql of [...REMINDERS, ...MOVES, FIELDS]) run(sql)
  return {
    lineage,
    withdrawn,
    users,
    erased: erased.size,
    ended: taken.ended,
    suppressions: mergeSuppressions('replaced').reduce((sum, sql) => sum + run(sql), 0),
  }
}

const ERASED = "SELECT CAST(subject AS INTEGER) FROM replaced.event WHERE type = 'subscription.erased' AND"

/** Subscriptions of the backup that were erased since. */
const erasedSince = (connection: Connection, lineage: Lineage): ReadonlySet<number> => {
  const since = `${ERASED} ${sinceBackup(lineage)}`
  const gone = 'SELECT id FROM main.subscription WHERE id NOT IN (SELECT id FROM replaced.subscription)'
  const all = lineage === 'pruned' ? `${since} UNION ${gone}` : since
  return new Set(pluck<number>(connection, `SELECT id FROM main.subscription WHERE id IN (${all})`))
}

const TOKEN = columnsOf(ACCESS_TOKEN, 'seq').join(', ')

/** What was refused stays refused. What was issued since is listed, as far as its user is there. */
const TOKENS = [
  `INSERT INTO revoked_token SELECT * FROM replaced.revoked_token WHERE true
    ON CONFLICT (jti) DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at`,
  `INSERT OR IGNORE INTO access_token (${TOKEN}) SELECT ${TOKEN} FROM replaced.access_token ORDER BY seq`,
  `UPDATE access_token SET last_used_at = r.last_used_at, revoked_at = r.revoked_at
    FROM replaced.access_token AS r WHERE r.jti = access_token.jti`,
  'DELETE FROM access_token WHERE subject IN (SELECT id FROM identity WHERE deleted_at IS NOT NULL)',
]

/**
 * Without a row, the tokens of a suspended user would be good again.
 * @throws {StorageNotUsable} another user has its address or its name in the backup
 */
const putLimited = async ({ users }: OpenDraft['stores'], user: User): Promise<void> => {
  try {
    await users.put(user)
  } catch (cause) {
    if (!(cause instanceof EmailTaken || cause instanceof UserNameTaken)) throw cause
    const what = cause instanceof EmailTaken ? 'address' : 'name in the directory'
    const message = `The user ${user.id} is not in the backup, and its tokens were refused since (by a suspension), which must stay so; but another user of the backup has its ${what}. Give it another one, or delete it (\`rollcall user set\`, \`rollcall user delete\`), and restore again. Nothing was replaced.`
    throw unfit(message, { cause })
  }
}

/** How many users of the backup have gone. */
const carryOverUsers = async ({ writer: { connection }, stores }: OpenDraft, lineage: Lineage): Promise<number> => {
  const run = (sql: string): number => connection.prepare(sql).run().changes
  for (const sql of [...RESTORED, ...ACCESS]) run(sql)
  const deleted = pluck<UserId>(connection, DELETED)
  const erased = pluck<UserId>(connection, ERASED_WHILE_HELD)
  for (const id of [...deleted, ...erased]) {
    const addressKey = await addressOf(stores, id)
    if (addressKey !== undefined) forgetRequests(connection, addressKey)
  }
  for (const id of deleted) await stores.users.erase(id)
  for (const id of erased) await stores.heldUsers.remove(id)
  for (const row of connection.prepare<[], UserRow>(LIMITED_SINCE).all()) await putLimited(stores, toUser(row))
  run('INSERT OR REPLACE INTO held_user SELECT * FROM replaced.held_user')
  // If the trail is another, the record is that of this very restore, which comes next.
  run(lineage === 'branched' ? buried(`${givenOut('audit_record')} + 1`) : buried())
  for (const sql of TOKENS) run(sql)
  return deleted.length + erased.length
}
