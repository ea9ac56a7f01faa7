/** What another service's file says of one person, by the names of its columns; '' where it says nothing. */
export type ForeignRow = (column: string) => string

/** A row as `subscription import` takes it; or why there is none. */
export type MappedRow =
  | { readonly fields: Readonly<Record<string, unknown>> }
  /** It is not brought over, for this reason. */
  | { readonly leftOut: string }
  /** It does not say what became of the person. */
  | { readonly problem: string }

/** Which people a file holds, where a service has a file for each kind. */
export type ForeignKind = 'cleaned' | 'nonsubscribed' | 'subscribed' | 'unsubscribed'

export interface ForeignFormat {
  /** The service's name, for a person. */
  readonly label: string
  readonly columns: {
    readonly email: string
    /** Those that say who gets no mails: without them, people who left would come back. */
    readonly needed: readonly string[]
    /** Every other one that means something. */
    readonly others: readonly string[]
    /** One of them that names lists, labels or tags, divided by commas; undefined where its file names none. */
    readonly lists: string | undefined
  }
  /** Its files say by their names which people they hold; or they come together as a ZIP archive. */
  readonly kindInName: boolean
  map(row: ForeignRow, kind: ForeignKind): MappedRow
}

/** A confirmation that the file itself proves has `confirmed_at` and `consent`; all others are pending. */
const PENDING = { status: 'pending' } as const

/**
 * Columns: uuid, email, name, attributes, status, created_at, updated_at. Times are written by Go's `Time.String()`, the
 * status is that of the person: `enabled`, `disabled` or `blocklisted`. Which lists a person confirmed is not in it.
 * @see https://github.com/knadh/listmonk/blob/master/cmd/subscribers.go `ExportSubscribers`
 * @see https://github.com/knadh/listmonk/blob/master/schema.sql `subscriber_status`
 */
const listmonk: ForeignFormat = {
  label: 'listmonk',
  columns: { email: 'email', needed: ['status'], others: ['name', 'created_at'], lists: undefined },
  kindInName: false,
  map: (row) => {
    const status = row('status').toLowerCase()
    if (status === 'blocklisted')
      return {
        leftOut: 'listmonk has this address on its blocklist. `rollcall suppression import` blocks it here, too.',
      }
    if (status === 'disabled') return { leftOut: 'listmonk has this address disabled: it got no mail there.' }
    if (status !== 'enabled')
      return { problem: "Its 'status' is not one that listmonk writes. Correct it: enabled, disabled or blocklisted." }
    return { fields: { name: row('name'), created_at: goTime(row('created_at')), ...PENDING } }
  },
}

// `2024-07-02 12:56:49.123456 +0200 CEST`; the zero time stands for none.
const GO_TIME = /^(?!0001-)(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)? ([+-]\d\d)(\d\d)\b/

const goTime = (text: string): string => {
  const [, day, time, fraction = '', hours, minutes] = GO_TIME.exec(text) ?? []
  return day === undefined ? '' : `${day}T${time}${fraction}${hours}:${minutes}`
}

/**
 * Columns: id, email, name, note, subscribed_to_emails, complimentary_plan, stripe_customer_id, created_at, deleted_at,
 * labels, tiers. A member came by a link in a mail, or was added by the staff: the file does not tell which.
 * @see https://github.com/TryGhost/Ghost `ghost/core/core/server/services/members/exporter/query.js`
 * @see https://github.com/TryGhost/Ghost `ghost/members-csv/lib/unparse.js`
 */
const ghost: ForeignFormat = {
  label: 'Ghost',
  columns: {
    email: 'email',
    needed: ['subscribed_to_emails'],
    others: ['name', 'created_at', 'deleted_at', 'tiers'],
    lists: 'labels',
  },
  kindInName: false,
  map: (row) => {
    const fields = { name: row('name'), created_at: row('created_at') }
    if (row('deleted_at') !== '') return { leftOut: 'Ghost has this member as deleted.' }
    const subscribed = row('subscribed_to_emails').toLowerCase()
    if (subscribed === 'false') return { fields: { ...fields, status: 'ended' } }
    // A spreadsheet may have written it in its own language.
    if (subscribed !== 'true') return { problem: "Its 'subscribed_to_emails' is neither true nor false. Correct it." }
    return { fields: { ...fields, ...PENDING } }
  },
}

/**
 * Columns: Email Address, First Name, Last Name, then those of the audience, and MEMBER_RATING, OPTIN_TIME, OPTIN_IP,
 * CONFIRM_TIME, CONFIRM_IP, LATITUDE, LONGITUDE, GMTOFF, DSTOFF, TIMEZONE, CC, REGION, LAST_CHANGED, LEID, EUID, NOTES,
 * TAGS; in the file of those who left UNSUB_TIME, too. Times are UTC without saying so. A ZIP archive has a file for each
 * kind: `subscribed_email_audience_export_1a2b3c.csv`, `unsubscribed_…`, `cleaned_…` and `nonsubscribed_…`; older ones
 * are `subscribed_members_export_…`.
 *
 * CONFIRM_TIME is set for everybody, also for people that an administrator added. Only a confirmation that came after a
 * sign-up, both with the address that it came from, is a double opt-in.
 * @see https://mailchimp.com/help/view-export-contacts/
 * @see https://mailchimp.com/developer/marketing/docs/account-exports/
 */
const mailchimp: ForeignFormat = {
  label: 'Mailchimp',
  columns: {
    email: 'Email Address',
    needed: [],
    others: ['First Name', 'Last Name', 'OPTIN_TIME', 'OPTIN_IP', 'CONFIRM_TIME', 'CONFIRM_IP', 'UNSUB_TIME'],
    lists: 'TAGS',
  },
  kindInName: true,
  map: (row, kind) => {
    if (kind === 'cleaned')
      return { leftOut: 'Mailchimp cleaned this address: mails to it bounced. It can sign up again.' }
    if (kind === 'nonsubscribed') return { leftOut: 'This contact never subscribed at Mailchimp.' }
    const [signedUp, confirmed] = [row('OPTIN_TIME'), row('CONFIRM_TIME')]
    const name = [row('First Name'), row('Last Name')].filter((part) => part !== '').join(' ')
    const fields = { name, created_at: signedUp || confirmed }
    if (kind === 'unsubscribed' || row('UNSUB_TIME') !== '')
      return { fields: { ...fields, status: 'ended', ended_at: row('UNSUB_TIME') } }
    const isDoubleOptIn = signedUp !== '' && signedUp < confirmed && row('OPTIN_IP') !== '' && row('CONFIRM_IP') !== ''
    if (!isDoubleOptIn) return { fields: { ...fields, ...PENDING } }
    const entry = { via: 'import', wording: 'Mailchimp double opt-in' }
    const consent = [
      { deed: 'requested', at: signedUp, ...entry },
      { deed: 'confirmed', at: confirmed, ...entry },
    ]
    return { fields: { ...fields, confirmed_at: confirmed, consent } }
  },
}

export const FOREIGN_FORMATS = { listmonk, ghost, mailchimp } as const satisfies Record<string, ForeignFormat>

export type ForeignName = keyof typeof FOREIGN_FORMATS
