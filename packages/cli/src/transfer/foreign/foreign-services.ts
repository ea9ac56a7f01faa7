/** A service whose files need no code: which column says what, and what the words in it mean. */
export interface ForeignService {
  readonly label: string
  /** The names that a column has, the usual one first. */
  readonly email: readonly [string, ...string[]]
  /** The column that says who left; without it nothing is imported. */
  readonly status: readonly [string, ...string[]]
  /** Its words, in lower case: for those who stay, of whom some never confirmed, those who left, and those to whom mails came back. */
  readonly stayed: readonly string[]
  readonly unconfirmed: readonly string[]
  readonly left: readonly string[]
  readonly bounced: readonly string[]
  readonly createdAt: readonly string[]
  readonly endedAt: readonly string[]
  /** Columns that make up a name: of these, the first that say something. */
  readonly names: readonly (readonly string[])[]
  /** Other columns, and those of their words that say that somebody never confirmed. */
  readonly doubts: readonly (readonly [column: string, ...words: string[]])[]
  readonly lists: string | undefined
  /** Columns that say nothing of who left, or say it again. */
  readonly unused: readonly string[]
}

const FIRST_AND_LAST = [['first_name', 'last_name'], ['First Name', 'Last Name'], ['name'], ['Full Name']] as const
const CAMPAIGN = ['source', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'referrer']

/**
 * One row for each. A service adds columns and words as it likes: a column that is not here is looked through, and a word that
 * is not here refuses its row.
 */
export const FOREIGN_SERVICES = {
  /** @see https://docs.buttondown.com/exporting-your-subscribers and https://docs.buttondown.com/api-subscribers-type */
  buttondown: {
    label: 'Buttondown',
    email: ['email', 'email_address'],
    status: ['type'],
    stayed: ['regular', 'unpaid', 'premium', 'gifted', 'trialed', 'past_due', 'churning', 'upcoming'],
    unconfirmed: ['unactivated'],
    left: ['unsubscribed', 'removed', 'complained', 'blocked', 'churned', 'paused', 'disabled'],
    bounced: ['undeliverable'],
    createdAt: ['creation_date'],
    endedAt: ['unsubscription_date'],
    names: [],
    doubts: [],
    lists: 'tags',
    unused: [
      ...['notes', 'metadata', 'referrer_url', 'secondary_id', 'id', 'avatar_url', 'ip_address', 'last_open_date'],
      ...[
        'undeliverability_date',
        'undeliverability_reason',
        'unsubscription_reason',
        'churn_date',
        'tags',
        ...CAMPAIGN,
      ],
    ],
  },
  /** Whether a person pays is no matter here. */
  substack: {
    label: 'Substack',
    email: ['email'],
    status: ['email_disabled'],
    stayed: ['false', '0', 'no'],
    unconfirmed: [],
    left: ['true', '1', 'yes'],
    bounced: [],
    createdAt: ['created_at'],
    endedAt: [],
    names: [['name']],
    doubts: [],
    lists: undefined,
    unused: ['active_subscription', 'expiry', 'plan', 'digest_enabled', 'first_payment_at', 'type'],
  },
  /** Inactive is who left; pending, who has not confirmed. */
  beehiiv: {
    label: 'beehiiv',
    email: ['email', 'email address'],
    status: ['status', 'subscription status'],
    stayed: ['active'],
    unconfirmed: ['pending', 'validating', 'needs approval', 'needs attention', 'needs_attention'],
    left: ['inactive', 'unsubscribed', 'complained', 'paused'],
    bounced: ['invalid', 'bounced'],
    createdAt: ['created at', 'created_at', 'subscribed at', 'subscribed_at'],
    endedAt: ['unsubscribed at', 'unsubscribed_at'],
    names: FIRST_AND_LAST,
    doubts: [],
    lists: undefined,
    unused: [
      ...['subscription tier', 'tier', 'subscription_tier', 'id', 'subscriber_id', 'referral_code', 'referral code'],
      ...['acquisition source', 'tags', ...CAMPAIGN],
    ],
  },
  /** Inactive is who has not confirmed; cold, who reads nothing, and gets mails. */
  kit: {
    label: 'Kit',
    email: ['email', 'email_address', 'email address'],
    status: ['status', 'state'],
    stayed: ['active', 'confirmed', 'cold'],
    unconfirmed: ['inactive', 'unconfirmed'],
    left: ['cancelled', 'canceled', 'unsubscribed', 'complained', 'blocked'],
    bounced: ['bounced'],
    createdAt: ['created_at', 'created at', 'subscribed_at'],
    endedAt: ['cancelled_at', 'canceled_at', 'unsubscribed_at'],
    names: FIRST_AND_LAST,
    doubts: [],
    lists: 'tags',
    unused: ['id', 'tags', ...CAMPAIGN],
  },
  /** Of the columns about a subscription, those that can mean one thing alone. */
  brevo: {
    label: 'Brevo',
    email: ['EMAIL', 'E-MAIL'],
    status: ['EMAIL_BLACKLISTED', 'EMAIL_BLOCKLISTED', 'BLACKLISTED', 'BLOCKLISTED', 'EMAIL BLOCKLISTED'],
    stayed: ['false', '0', 'no'],
    unconfirmed: [],
    left: ['true', '1', 'yes'],
    bounced: [],
    createdAt: ['ADDED_TIME', 'CREATED_AT', 'DATE ADDED'],
    endedAt: [],
    names: [['FIRSTNAME', 'LASTNAME'], ['VORNAME', 'NACHNAME'], ['PRENOM', 'NOM'], ['NAME']],
    doubts: [
      ['OPT_IN', 'false', '0', 'no'],
      ['DOUBLE_OPT-IN', 'false', '0', 'no', '2'],
    ],
    lists: undefined,
    unused: [
      ...['CONTACT ID', 'CONTACT_ID', 'EXT_ID', 'SMS', 'WHATSAPP', 'LANDLINE_NUMBER', 'MODIFIED_TIME', 'LAST_CHANGED'],
      ...['SMS_BLACKLISTED', 'SMS_BLOCKLISTED', 'JOB_TITLE', '_LISTIDS'],
    ],
  },
  /** As its interface for programs has members: who switched delivery off, and for whom it was switched off. */
  mailman: {
    label: 'Mailman',
    email: ['email', 'address'],
    status: ['delivery_status', 'delivery status'],
    stayed: ['enabled', 'unknown'],
    unconfirmed: [],
    left: ['by_user', 'by_moderator', 'disabled'],
    bounced: ['by_bounces'],
    createdAt: ['created_on', 'subscribed_on'],
    endedAt: [],
    names: [['display_name'], ['display name'], ['real_name'], ['name']],
    doubts: [['role', 'nonmember', 'owner', 'moderator']],
    lists: undefined,
    unused: ['list_id', 'member_id', 'subscription_mode', 'delivery_mode', 'moderation_action', 'user', 'self_link'],
  },
} as const satisfies Record<string, ForeignService>
