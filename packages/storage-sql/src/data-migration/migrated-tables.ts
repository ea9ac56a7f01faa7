import { MAIL_CAP, SPENT_CHALLENGE } from '../tables/abuse.ts'
import { ACCESS_TOKEN, REVOKED_TOKEN } from '../tables/access-tokens.ts'
import { AUDIT_RECORD, AUDIT_SEAL, INSTANCE } from '../tables/audit.ts'
import { CONSENT, KEPT_MAIL } from '../tables/consents.ts'
import { CONSOLE_SESSION, DELETION_RUN, LOGIN_LINK } from '../tables/console.ts'
import { EVENT, WEBHOOK, WEBHOOK_ANSWER, WEBHOOK_DELIVERY } from '../tables/events.ts'
import { DELIVERABILITY, FEEDBACK_COUNT, FEEDBACK_SEEN, WAITING_FEEDBACK } from '../tables/feedback.ts'
import { FEED, FEED_LOGO } from '../tables/feeds.ts'
import { HELD_USER, IDENTITY } from '../tables/identities.ts'
import { OUTBOX } from '../tables/mails.ts'
import { ADDRESS_MOVE, MOVED_SUBSCRIPTION } from '../tables/moves.ts'
import { KEPT_NUMBER, NUMBER_DELTA } from '../tables/numbers.ts'
import { MONTHLY_MAIL, REMINDER } from '../tables/reminders.ts'
import { SIGN_UP_REQUEST } from '../tables/requests.ts'
import { SIGN_UP_GROUP } from '../tables/sign-up-groups.ts'
import { DISPLACED_ID, SUBSCRIPTION } from '../tables/subscriptions.ts'
import { SUPPRESSION } from '../tables/suppressions.ts'
import { type Table, table, text, whole } from '../tables/table.ts'
import { USER_ACCOUNT, USER_ROLE } from '../tables/users.ts'

export interface MigratedTable extends Table {
  /** Rows of one database alone, by what they begin with. */
  readonly except?: readonly string[]
}

/** What the database remembers while a move into it is under way. */
export const MOVE_UNDER_WAY = 'move-under-way'

/** Every table with what must not be lost; what hangs on a row comes after it. */
export const MIGRATED_TABLES: readonly MigratedTable[] = [
  FEED,
  FEED_LOGO,
  SUBSCRIPTION,
  DISPLACED_ID,
  CONSENT,
  KEPT_MAIL,
  SIGN_UP_GROUP,
  REMINDER,
  MONTHLY_MAIL,
  ADDRESS_MOVE,
  MOVED_SUBSCRIPTION,
  SUPPRESSION,
  DELIVERABILITY,
  FEEDBACK_SEEN,
  FEEDBACK_COUNT,
  WAITING_FEEDBACK,
  SPENT_CHALLENGE,
  EVENT,
  SIGN_UP_REQUEST,
  NUMBER_DELTA,
  KEPT_NUMBER,
  OUTBOX,
  WEBHOOK,
  WEBHOOK_DELIVERY,
  MAIL_CAP,
  USER_ACCOUNT,
  USER_ROLE,
  IDENTITY,
  HELD_USER,
  ACCESS_TOKEN,
  REVOKED_TOKEN,
  AUDIT_RECORD,
  // In turn, as the triggers of both databases will have them.
  AUDIT_SEAL,
  // A database of one instance does not follow the rotations of its signing keys, so what another knew of them is old.
  { ...INSTANCE, except: [MOVE_UNDER_WAY, 'signing-keys', 'last-backup'] },
]

const term = (name: string): Table => table(name, 2, { term: text(), place: whole() })

/** Tables that each database keeps for itself: nothing in them is worth a move, or is made again. */
const UNMIGRATED_TABLES: readonly Table[] = [
  CONSOLE_SESSION,
  DELETION_RUN,
  table('deletion_run_part', 2, { run: text(), part: whole(), record: text() }),
  LOGIN_LINK,
  term('subscription_term'),
  term('user_account_term'),
  WEBHOOK_ANSWER,
]

/** Every table, but for that of the migrations. */
export const SQLITE_TABLES: readonly Table[] = [
  ...MIGRATED_TABLES,
  ...UNMIGRATED_TABLES,
  table('erasure', 0, { count: whole(), cleaned: whole() }),
]

/** The same in PostgreSQL. */
export const POSTGRES_TABLES: readonly Table[] = [
  ...MIGRATED_TABLES,
  ...UNMIGRATED_TABLES,
  table('rate_limit', 1, { key: text(), points: whole(), expire: whole() }),
]
