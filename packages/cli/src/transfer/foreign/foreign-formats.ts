import { isIP } from 'node:net'
import { FOREIGN_SERVICES, type ForeignService } from './foreign-services.ts'

/** What another service's file says of one person, by the names of its columns; '' if it says nothing. */
export type ForeignRow = (column: string) => string

/** A row as `subscription import` takes it; or why there is none. */
export type MappedRow =
  | {
      readonly fields: Readonly<Record<string, unknown>>
      /** The service itself says so: what is known of the others is no evidence for this one. */
      readonly unconfirmed?: boolean
    }
  /** It is not brought over, for this reason. */
  | { readonly leftOut: string }
  /** It does not say what became of the person. */
  | { readonly problem: string }

/** Which people a file holds, if a service has a file for each kind. */
export type ForeignKind = 'cleaned' | 'nonsubscribed' | 'subscribed' | 'unsubscribed'

export interface ForeignFormat {
  /** The service's name, for a person. */
  readonly label: string
  readonly columns: {
    /** The names that the column of the address has; the first is the usual one. */
    readonly email: readonly [string, ...string[]]
    /** The same of other columns; they are known by the first. */
    readonly called?: readonly (readonly string[])[]
    /** Those without which people who left would come back: mostly they say who gets no mails. */
    readonly needed: readonly string[]
    /** Every other one that means something. */
    readonly others: readonly string[]
    /** The one that names lists, labels or tags, divided by commas; undefined if its file names none. */
    readonly lists: string | undefined
    /** Those that its files have beside, and that say nothing of who left; any other is looked through for that. */
    readonly unused: readonly string[]
  }
  /** Its files say by their names which people they hold; or they come together as a ZIP archive. */
  readonly kindInName: boolean
  /** It puts an apostrophe before what a spreadsheet would take for a formula: none is part of an address. */
  readonly disguises?: true
  map(row: ForeignRow, kind: ForeignKind): MappedRow
}

/** A confirmation that the file itself proves has `confirmed_at` and `consent`; all others are pending. */
const PENDING = { status: 'pending' } as const

/**
 * Columns: uuid, email, name, attributes, status, created_at, updated_at. Times are written by Go's `Time.String()` in the
 * zone of its database, the status is that of the person: `enabled`, `disabled` or `blocklisted`. Which lists a person is
 * on, confirmed or left is not in it: who left a list is as enabled as who confirmed it.
 * @see https://github.com/knadh/listmonk/blob/master/cmd/subscribers.go `ExportSubscribers`
 * @see https://github.com/knadh/listmonk/blob/master/schema.sql `subscriber_status`
 */
const listmonk: ForeignFormat = {
  label: 'listmonk',
  columns: {
    email: ['email'],
    needed: ['status'],
    others: ['name', 'created_at'],
    lists: undefined,
    unused: ['uuid', 'attributes', 'updated_at'],
  },
  kindInName: false,
  map: (row) => {
    const status = row('status').toLowerCase()
    if (status === 'blocklisted')
      return {
        leftOut: 'listmonk has this address on its blocklist. `rollcall suppression import` blocks it here, too.',
      }
    if (status === 'disabled') return { leftOut: 'listmonk has this address disabled: it got no mail there.' }
    if (status !== 'enabled')
      return {
        problem: `Its 'status' is '${status}', which listmonk does not write. Correct it: enabled, disabled or blocklisted.`,
      }
    return { fields: { name: row('name'), created_at: row('created_at'), ...PENDING } }
  },
}

/**
 * Columns: id, email, name, note, subscribed_to_emails, complimentary_plan, stripe_customer_id, created_at, deleted_at,
 * labels, tiers; newer ones also have gift_id, newsletters and fields of the site. Subscribed is who gets at least one newsletter. A
 * member came by a link in a mail, or was added by the staff: the file does not tell which.
 * @see https://github.com/TryGhost/Ghost `core/server/services/members/import-export/export/exporter.js` in its package
 */
const ghost: ForeignFormat = {
  label: 'Ghost',
  columns: {
    email: ['email'],
    needed: ['subscribed_to_emails'],
    others: ['name', 'created_at', 'deleted_at'],
    lists: 'labels',
    unused: ['id', 'note', 'complimentary_plan', 'stripe_customer_id', 'labels', 'tiers', 'gift_id', 'newsletters'],
  },
  kindInName: false,
  disguises: true,
  map: (row) => {
    const fields = { name: row('name'), created_at: row('created_at') }
    if (row('deleted_at') !== '') return { leftOut: 'Ghost has this member as deleted.' }
    const subscribed = row('subscribed_to_emails').toLowerCase()
    if (FALSE.has(subscribed)) return { fields: { ...fields, status: 'ended' } }
    if (!TRUE.has(subscribed))
      return { problem: `Its 'subscribed_to_emails' is '${subscribed}', neither true nor false. Correct it.` }
    return { fields: { ...fields, ...PENDING } }
  },
}

/** As spreadsheets in the languages of our pages write them. */
const TRUE: ReadonlySet<string> = new Set(['true', 'wahr', 'vrai', 'verdadero'])
const FALSE: ReadonlySet<string> = new Set(['false', 'falsch', 'faux', 'falso'])

/** The columns that make up a name: of these, the first that say something. */
const MAILCHIMP_NAMES = [['First Name', 'Last Name'], ['Vorname', 'Nachname'], ['Full Name'], ['Name']] as const

const MAILCHIMP_UNUSED = [
  ...['MEMBER_RATING', 'LATITUDE', 'LONGITUDE', 'GMTOFF', 'DSTOFF', 'TIMEZONE', 'CC', 'REGION', 'LAST_CHANGED'],
  ...['LEID', 'EUID', 'NOTES', 'TAGS', 'EMAIL_TYPE'],
  // Why and after which mail: that somebody left is in UNSUB_TIME, that an address was cleaned in CLEAN_TIME.
  ...['UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON', 'UNSUB_REASON_OTHER'],
  ...['CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID'],
]

/**
 * Columns: those of the audience, in its order and by the names that they have there; the first are usually Email Address,
 * First Name and Last Name, in the language of the account. Then MEMBER_RATING, OPTIN_TIME, OPTIN_IP, CONFIRM_TIME,
 * CONFIRM_IP, LATITUDE, LONGITUDE, GMTOFF, DSTOFF, TIMEZONE, CC, REGION, LAST_CHANGED, LEID, EUID, NOTES and TAGS, of which
 * older and newer exports lack some; those who left have UNSUB_TIME, those who were cleaned CLEAN_TIME. Times are UTC
 * without saying so. A ZIP archive has a file for each kind: `subscribed_email_audience_export_1a2b3c.csv`,
 * `unsubscribed_…`, `cleaned_…` and `nonsubscribed_…`; older ones are `subscribed_members_export_…`, those of a segment
 * `subscribed_segment_export_…`.
 *
 * CONFIRM_TIME is set for everybody, also for people that an administrator added. Only a confirmation that came after a
 * sign-up, both with the address that it came from, is a double opt-in. A program on the same computer signs up nobody.
 * @see https://mailchimp.com/help/view-export-contacts/
 * @see https://mailchimp.com/developer/marketing/docs/account-exports/
 */
const mailchimp: ForeignFormat = {
  label: 'Mailchimp',
  columns: {
    email: ['Email Address', 'Email', 'Emailadresse'],
    // The name says who left, and a file of another service may be named so, too: every export has this column.
    needed: ['CONFIRM_TIME'],
    others: [...MAILCHIMP_NAMES.flat(), 'OPTIN_TIME', 'OPTIN_IP', 'CONFIRM_IP', 'UNSUB_TIME', 'CLEAN_TIME'],
    lists: 'TAGS',
    unused: MAILCHIMP_UNUSED,
  },
  kindInName: true,
  map: (row, kind) => {
    if (kind === 'cleaned' || row('CLEAN_TIME') !== '')
      return { leftOut: 'Mailchimp cleaned this address: mails to it bounced. It can sign up again.' }
    if (kind === 'nonsubscribed') return { leftOut: 'This contact never subscribed at Mailchimp.' }
    const [signedUp, confirmed] = [row('OPTIN_TIME'), row('CONFIRM_TIME')]
    const fields = { name: nameIn(row, MAILCHIMP_NAMES), created_at: signedUp || confirmed }
    if (kind === 'unsubscribed' || row('UNSUB_TIME') !== '')
      return { fields: { ...fields, status: 'ended', ended_at: row('UNSUB_TIME') } }
    const isDoubleOptIn =
      signedUp !== '' && signedUp < confirmed && isOfSomebody(row('OPTIN_IP')) && isOfSomebody(row('CONFIRM_IP'))
    if (!isDoubleOptIn) return { fields: { ...fields, ...PENDING } }
    const entry = { via: 'import', wording: 'Mailchimp double opt-in' }
    const consent = [
      { deed: 'requested', at: signedUp, ...entry },
      { deed: 'confirmed', at: confirmed, ...entry },
    ]
    return { fields: { ...fields, confirmed_at: confirmed, consent } }
  },
}

const nameIn = (row: ForeignRow, names: ForeignService['names']): string =>
  names.map((columns) => columns.map(row).join(' ').trim()).find((name) => name !== '') ?? ''

const isOfSomebody = (address: string): boolean => isIP(address) !== 0 && !/^(?:127\.|::1$)/.test(address)

const formatOf = (service: ForeignService): ForeignFormat => {
  const { label, email, status, createdAt, endedAt, names, doubts, lists, unused } = service
  const [usual] = status
  return {
    label,
    columns: {
      email,
      lists,
      unused,
      needed: [usual],
      called: [status, createdAt, endedAt],
      others: [...createdAt.slice(0, 1), ...endedAt.slice(0, 1), ...names.flat(), ...doubts.map(([column]) => column)],
    },
    kindInName: false,
    map: (row) => {
      const word = row(usual)
      const says = (words: readonly string[]): boolean => words.includes(word.toLowerCase())
      if (says(service.bounced))
        return { leftOut: `Mails of ${label} to this address came back. It can sign up again.` }
      const fields = { name: nameIn(row, names), created_at: row(createdAt[0] ?? '') }
      if (says(service.left)) return { fields: { ...fields, status: 'ended', ended_at: row(endedAt[0] ?? '') } }
      if (!says([...service.stayed, ...service.unconfirmed]))
        return { problem: `Its '${usual}' is '${word}', and it is not known what ${label} means by that. Correct it.` }
      if (row(endedAt[0] ?? '') !== '')
        return { problem: `Its '${usual}' is '${word}', and it has a time at which it ended. Correct one of them.` }
      const unconfirmed =
        says(service.unconfirmed) || doubts.some(([column, ...words]) => words.includes(row(column).toLowerCase()))
      return { fields: { ...fields, ...PENDING }, unconfirmed }
    },
  }
}

export type ForeignName = 'listmonk' | 'ghost' | 'mailchimp' | keyof typeof FOREIGN_SERVICES

export const FOREIGN_FORMATS: Readonly<Record<ForeignName, ForeignFormat>> = {
  listmonk,
  ghost,
  mailchimp,
  ...(Object.fromEntries(
    Object.entries(FOREIGN_SERVICES).map(([name, service]) => [name, formatOf(service)]),
  ) as Record<keyof typeof FOREIGN_SERVICES, ForeignFormat>),
}
