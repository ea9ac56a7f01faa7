// Made from the OpenAPI document by 'npm run generate'. Do not edit.

/** For administrators. */
export interface AddressFeedback {
  readonly kind: 'bounce' | 'complaint'
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly address: string
  /** Of a bounce without a status: whether it was final. By default as the first digit of the status says. */
  readonly permanent?: boolean | null | undefined
  /** The enhanced status code (RFC 3463), such as 5.1.1. */
  readonly status?: string | null | undefined
  /** When it came about (RFC 3339); by default now. */
  readonly at?: string | null | undefined
  /** What the provider calls this report: the same one counts once within 30 days. */
  readonly provider_id?: string | null | undefined
  /** An id and an address exclude each other. */
  readonly subscription?: null | undefined
}

export interface AuditList {
  readonly items: readonly AuditRecord[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface AuditRecord {
  /** From the first; there may be gaps between ids. */
  readonly id: number
  /** Its number in the trail, without gaps; null until it is sealed, within a second. */
  readonly sequence: number | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly at: string
  readonly actor: string
  readonly role_source: 'token' | 'stored' | 'operator'
  readonly token_id: string | null
  readonly channel: 'http' | 'cli' | 'library' | 'feedback' | 'console' | 'scim'
  readonly request_id: string | null
  readonly action: string
  readonly target: string | null
  /** 'done', or the name of the error that refused it. */
  readonly outcome: string
  readonly reason: string | null
  readonly count: number
  readonly roles_hash: string | null
}

export interface BrokenOff {
  readonly error:
    | 'InsufficientPermissions'
    | 'InternalError'
    | 'InvalidInput'
    | 'MalformedRequest'
    | 'Unauthenticated'
    | 'Unavailable'
  /** What to do about it. */
  readonly message: string
  readonly details?:
    | readonly {
        readonly field: string
        readonly message: string
      }[]
    | undefined
  /** The id to look for in the log. */
  readonly request_id?: string | undefined
}

export interface BulkForm {
  /** Who comes twice is changed once, and reported once. */
  readonly users: readonly {
    readonly id: string
    /** As a dry run gave it: refused if the user, or the time in which a deletion can be undone, is another by now. */
    readonly state?: string | null | undefined
    /** Likewise, how many subscriptions the same address had. */
    readonly subscriptions?: number | null | undefined
  }[]
  /** Whether only to report what would happen, and change nothing. */
  readonly dry_run?: boolean | null | undefined
  /** Of a dry run over a list in several requests: the 'administrators' of the one before. */
  readonly administrators_before?: number | null | undefined
  /** Why, for the audit trail; without the name and the address of any of the users. */
  readonly reason?: string | null | undefined
  /** Of a deletion: what becomes of the subscriptions of the same addresses. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
  /** Of a change of roles. */
  readonly add?: readonly Role[] | null | undefined
  /** Likewise; one that is added as well stays. */
  readonly remove?: readonly Role[] | null | undefined
}

/** Each user is changed by itself, and what refuses one is in its row; but a reason that names one of them is refused before any is changed (422), and after the own deletion of the caller the others are refused as `Unauthenticated`. To be asked again after an answer that was lost: with the same X-Request-Id, `ours` tells what the request before has deleted. */
export interface BulkReport {
  /** In the order of the request. */
  readonly users: readonly {
    readonly id: string
    /** `same`: it is so already. */
    readonly outcome: 'changed' | 'would-change' | 'same' | 'refused'
    /** In a dry run, if it is there. */
    readonly user?: User | undefined
    /** What to send for it, to change it as it is now. */
    readonly state?: string | undefined
    /** How many subscriptions the same address has. */
    readonly subscriptions?: number | undefined
    readonly subscriptions_erased?: number | undefined
    readonly subscriptions_kept?: number | undefined
    /** Of a deletion that can be undone: when everything is erased. */
    readonly erases_at?: string | undefined
    /** Why it is refused. */
    readonly error?: string | undefined
    readonly message?: string | undefined
    /** Whether a request with the same X-Request-Id has deleted it. */
    readonly ours?: boolean | undefined
  }[]
  /** How many administrators a dry run would take away. */
  readonly administrators?: number | undefined
  /** Of a dry run of a deletion: for how many seconds it could be undone; 0 if never. */
  readonly grace?: number | undefined
  /** Nothing was changed; missing where it was. */
  readonly dry_run?: true | undefined
}

export interface Challenge {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly signature: string
}

export interface CheckedRecipients {
  /** May be written to. */
  readonly send: readonly number[]
  /** Must get no mail; `unknown` also for a subscription to another feed. */
  readonly skip: readonly {
    readonly id: number
    readonly because: 'unknown' | 'pending' | 'ended' | 'blocked' | 'undeliverable'
  }[]
}

export interface CheckedSuppressions {
  /** Those that no mail may go to, as they were written. */
  readonly blocked: readonly string[]
  /** Those that cannot be read as addresses, as they were written. Nothing is known of them: treat them as blocked. */
  readonly unread: readonly string[]
  /** Only for callers that may read suppressions. */
  readonly reasons?:
    | readonly {
        readonly address: string
        readonly because: 'blocked' | 'complaint' | 'undeliverable'
      }[]
    | undefined
}

export interface ConfirmationForm {
  /** Which of the feeds that the mail was about to confirm; one at least. By default all of them. */
  readonly feeds?: readonly string[] | null | undefined
}

export interface Consent {
  /** RFC 3339, UTC, with milliseconds. */
  readonly at: string
  readonly deed: 'requested' | 'confirmed' | 'refused' | 'ended' | 'allowed' | 'moved'
  /** How: a form, a link, an import, or the id of the caller. */
  readonly via: string
  /** Which wording the person was shown. */
  readonly wording: string
  readonly language: string | null
  /** Cut to /24 or /48. */
  readonly client_address: string | null
  readonly user_agent: string | null
  /** How often within ten minutes. */
  readonly count: number
}

export interface ConsentEvidence {
  /** RFC 3339, UTC, with milliseconds. */
  readonly at: string
  readonly deed: 'requested' | 'confirmed' | 'refused' | 'ended' | 'allowed' | 'moved'
  /** How: a form, a link, an import, or the id of the caller. */
  readonly via: string
  /** Which wording the person was shown. */
  readonly wording: string
  readonly language: string | null
  /** Cut to /24 or /48. */
  readonly client_address: string | null
  readonly user_agent: string | null
  /** How often within ten minutes. */
  readonly count: number
  /** What the wording said, where it was the feed’s own. */
  readonly wording_text?: string | undefined
}

export interface ConsentList {
  readonly items: readonly Consent[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface DecidedFeedback {
  /** How many of them waited. */
  readonly decided: number
}

export interface ErasureReceipt {
  readonly user_id: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly deleted_at: string
  readonly deleted_by: string | null
  readonly role_source: string | null
  readonly channel: string | null
  readonly request_id: string | null
  readonly reason: string | null
  /** The record of the deletion in the audit trail, by its own id. */
  readonly audit_id: number
  /** The number of that record; null until it is sealed. */
  readonly audit_sequence: number | null
  /** Until then it can be restored, and nothing is erased. */
  readonly erases_at: string | null
  readonly erased: {
    readonly users: number
    readonly roles: number
    readonly subscriptions: number
    readonly mails: number
    /** How many access tokens were listed. All of them stay refused. */
    readonly tokens: number
  }
  readonly kept: readonly {
    readonly what: string
    readonly count: number | null
    readonly why: string
  }[]
}

export interface Event {
  readonly specversion: '1.0'
  /** Unique, and never changes. */
  readonly id: string
  /** The public URL of this service. */
  readonly source: string
  readonly type:
    | 'subscription.pending'
    | 'subscription.confirmed'
    | 'subscription.ended'
    | 'subscription.erased'
    | 'subscription.updated'
    | 'subscription.blocked'
    | 'subscription.unblocked'
    | 'subscription.undeliverable'
    | 'subscription.deliverable'
    | 'user.created'
    | 'user.updated'
    | 'user.suspended'
    | 'user.resumed'
    | 'user.deleted'
  /** The id of the subscription or the user. */
  readonly subject: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly time: string
  readonly datacontenttype: 'application/json'
  /** The value of 'after' to continue behind this event; sorts alphabetically. */
  readonly sequence: string
  /** The subject as it is now; only its id and its feed once it is erased, and in the event of its erasure. */
  readonly data:
    | Subscription
    | User
    | {
        readonly id: number | string
        /** Of a subscription. */
        readonly feed?: string | undefined
      }
}

export interface EventList {
  readonly items: readonly Event[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface Explanation {
  /** As it was asked for. */
  readonly email: string
  /** Why and since when mails to the address are stopped. */
  readonly suppression: {
    readonly cause: 'refused' | 'never-again' | 'blocked' | 'complaint'
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
    /** What stops every mail to the address; `cause` says the same where its owner asked for nothing. Null where only our own mails are stopped. */
    readonly block: {
      readonly cause: 'blocked' | 'complaint'
      /** RFC 3339, UTC, with milliseconds. */
      readonly since: string
    } | null
  } | null
  readonly deliverability: 'ok' | 'failing' | 'undeliverable'
  readonly subscriptions: readonly Subscription[]
  /** In order of time, as far back as it is kept. */
  readonly timeline: readonly {
    /** RFC 3339, UTC, with milliseconds. */
    readonly at: string
    /** For a person. */
    readonly what: string
    readonly feed: string | null
    readonly message_id: string | null
    /** When it is over, or goes on. */
    readonly until: string | null
  }[]
  /** One sentence: what would make a mail go out now. */
  readonly conclusion: string
}

export interface ExportedSubscription {
  readonly name: string
  readonly email: string
  readonly id: number
  readonly feed: string
  readonly status: 'pending' | 'confirmed' | 'ended'
  readonly locale: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly confirmed_at: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly ended_at: string | null
  /** Oldest first. */
  readonly consent: readonly ConsentEvidence[]
  /** What was given for the fields of the feed, by their names; absent where that is nothing. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly ended_because?: 'moved' | undefined
  /** The subscription that a change of address made of it. */
  readonly moved_to?: number | undefined
}

export interface Feed {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly language: string | null
  readonly sender: string | null
  readonly return_urls: readonly string[]
  readonly confirmed_url: string | null
  readonly home_url: string | null
  readonly open: boolean
  /** Every version there was, oldest first. */
  readonly wordings: readonly {
    readonly version: number
    /** Empty if the service's own was shown again. */
    readonly text: string
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
  }[]
  /** What its forms ask for beside name and address. */
  readonly fields: readonly FeedField[]
  /** The type of its logo, if it has one. */
  readonly logo: 'image/png' | 'image/svg+xml' | null
  /** A colour as `#rrggbb`. */
  readonly accent: string | null
  /** What stands below its mails and pages, such as an imprint: plain text by language tag. */
  readonly footer: Readonly<Record<string, unknown>>
  /** What its mails and pages say in words of the operator: plain text by language tag and name. */
  readonly words: Readonly<Record<string, unknown>>
  /** Whether those who have confirmed are welcomed by a mail. */
  readonly welcome: boolean
  /** Since then it accepts no sign-ups. */
  readonly deleting_since: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated_at: string
  /** Where answers to its mails go, if not to the sender. */
  readonly reply_to?: string | undefined
  /** How long after the mail that asks to confirm a reminder follows, where one does. */
  readonly remind_after?: string | undefined
}

export interface FeedField {
  /** It is sent as `field_` and this. */
  readonly name: string
  readonly type: 'text' | 'choice' | 'boolean' | 'date' | 'number'
  /** What people are asked, by language tag. */
  readonly label: Readonly<Record<string, unknown>>
  /** Whether a sign-up form must give it. */
  readonly required: boolean
  /** Of a text: how many characters. Of a number: the largest. */
  readonly max: number | null
  readonly choices: readonly string[]
  /** Whether the owner of an address sees and changes it. */
  readonly public: boolean
}

export interface FeedForm {
  /** By default the name. */
  readonly title?: string | null | undefined
  readonly description?: string | null | undefined
  /** A BCP 47 language tag. */
  readonly language?: string | null | undefined
  /** 'News <news@example.com>', or an address alone; by default the service's own. */
  readonly sender?: string | null | undefined
  /** Likewise, where answers to its mails go; by default to the sender. */
  readonly reply_to?: string | null | undefined
  /** What people are asked to agree to. A change is a new version; empty for the service's own; unchanged if not given. */
  readonly wording?: string | null | undefined
  /** Absolute URLs: https (http only for loopback hosts), no user, no fragment, at most 2,000 characters of ASCII. In a form: separated by spaces. */
  readonly return_urls?: readonly string[] | null | undefined
  /** Where people are sent after they have confirmed. https (http only for loopback hosts), no user, no fragment, at most 2,000 characters of ASCII. */
  readonly confirmed_url?: string | null | undefined
  /** Where pages lead back to: the site that the feed is of. https (http only for loopback hosts), no user, no fragment, at most 2,000 characters of ASCII. */
  readonly home_url?: string | null | undefined
  /** How long after the mail that asks to confirm one reminder follows: hours or days, from 1h to 6d; by default none does. */
  readonly remind_after?: string | null | undefined
  /** Whether it accepts sign-ups; by default true. */
  readonly open?: boolean | null | undefined
  /** What its forms ask for beside name and address; unchanged if not given. In a form: as JSON. */
  readonly fields?:
    | readonly {
        readonly name: string
        readonly type: 'text' | 'choice' | 'boolean' | 'date' | 'number'
        /** What people are asked, by language tag. */
        readonly label: Readonly<Record<string, unknown>>
        /** Whether a sign-up form must give it. */
        readonly required?: boolean | null | undefined
        /** Of a text: how many characters, 200 by default. Of a number: the largest. */
        readonly max?: number | null | undefined
        /** Of a choice: its values. */
        readonly choices?: readonly string[] | null | undefined
        /** Whether the owner of an address sees and changes it. */
        readonly public?: boolean | null | undefined
      }[]
    | null
    | undefined
  /** The colour of buttons and links in its mails and pages; empty for the service's own; unchanged if not given. */
  readonly accent?: string | null | undefined
  /** What stands below its mails and pages, such as an imprint: plain text by language tag. Unchanged if not given. A patch changes single texts; null takes one away. In a form: as JSON. */
  readonly footer?: Readonly<Record<string, unknown>> | null | undefined
  /** What its mails and pages say in words of the operator: plain text by language tag and name. The greeting and subjects are one line of at most 200 characters. Unchanged if not given. A patch changes single texts; null takes one away. In a form: as JSON. */
  readonly words?: Readonly<Record<string, unknown>> | null | undefined
  /** Whether those who have confirmed are welcomed by a mail; unchanged if not given. */
  readonly welcome?: boolean | null | undefined
}

export interface FeedList {
  readonly items: readonly ListedFeed[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface FeedbackDecision {
  /** Ids of feedback that waits. */
  readonly ids: readonly number[]
}

export interface FeedbackReport {
  readonly items: readonly (RecipientFeedback | AddressFeedback)[]
}

export interface HeldUser {
  readonly user: User
  /** RFC 3339, UTC, with milliseconds. */
  readonly deleted_at: string
  /** Until then it can be restored. */
  readonly erases_at: string
  /** What becomes of subscriptions of the same address then. */
  readonly subscriptions: 'keep' | 'erase'
}

export interface HeldUserList {
  readonly items: readonly HeldUser[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

/** One for each refused row, then the summary; or, if the import breaks off, why. */
export type ImportReportLine = RefusedRow | ImportSummary | BrokenOff

export interface ImportRow {
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email: string
  readonly name?: string | null | undefined
  /** 'default' where none is given. */
  readonly feed?: string | null | undefined
  readonly locale?: string | null | undefined
  /** 'confirmed' only with 'confirmed_at' and 'consent', else pending. */
  readonly status?: 'pending' | 'confirmed' | 'ended' | null | undefined
  /** RFC 3339, or a date; UTC without an offset. */
  readonly created_at?: string | null | undefined
  /** RFC 3339, or a date; UTC without an offset. */
  readonly confirmed_at?: string | null | undefined
  /** RFC 3339, or a date; UTC without an offset. */
  readonly ended_at?: string | null | undefined
  /** How consent was given: in words, or the entries of an export. */
  readonly consent?: string | null | readonly ConsentEvidence[] | undefined
  /** All values of fields of the feed, as an export has them. */
  readonly fields?: Readonly<Record<string, unknown>> | null | undefined
  /** The value of a field of the feed. */
  readonly [name: `field_${string}`]: string | number | boolean | null | undefined
}

export interface ImportSummary {
  readonly rows: number
  readonly imported: number
  /** Were there already, and stay as they are. */
  readonly unchanged: number
  readonly refused: number
  readonly confirmed: number
  readonly pending: number
  readonly ended: number
  readonly interrupted: boolean
  /** Nothing was changed; missing where it was. */
  readonly dry_run?: true | undefined
  /** The columns that were not used; missing where there were none. */
  readonly ignored?: readonly string[] | undefined
  /** Optional values that could not be read, and were left out; missing where there were none. */
  readonly unread?:
    | readonly {
        readonly field: string
        /** The first of them. */
        readonly value: string
        readonly count: number
      }[]
    | undefined
  /** Were there already, and got a name or fields; missing where that was not asked for. */
  readonly updated?: number | undefined
}

export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

export interface ListedFeed {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly language: string | null
  readonly sender: string | null
  readonly return_urls: readonly string[]
  readonly confirmed_url: string | null
  readonly home_url: string | null
  readonly open: boolean
  /** Every version there was, oldest first. */
  readonly wordings: readonly {
    readonly version: number
    /** Empty if the service's own was shown again. */
    readonly text: string
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
  }[]
  /** What its forms ask for beside name and address. */
  readonly fields: readonly FeedField[]
  /** The type of its logo, if it has one. */
  readonly logo: 'image/png' | 'image/svg+xml' | null
  /** A colour as `#rrggbb`. */
  readonly accent: string | null
  /** What stands below its mails and pages, such as an imprint: plain text by language tag. */
  readonly footer: Readonly<Record<string, unknown>>
  /** What its mails and pages say in words of the operator: plain text by language tag and name. */
  readonly words: Readonly<Record<string, unknown>>
  /** Whether those who have confirmed are welcomed by a mail. */
  readonly welcome: boolean
  /** Since then it accepts no sign-ups. */
  readonly deleting_since: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated_at: string
  /** How many subscriptions it has: pending, confirmed and ended. */
  readonly total: number
  /** Where answers to its mails go, if not to the sender. */
  readonly reply_to?: string | undefined
  /** How long after the mail that asks to confirm a reminder follows, where one does. */
  readonly remind_after?: string | undefined
}

export interface Liveness {
  readonly status: 'alive'
}

export interface Message {
  readonly message: string
}

export interface MoveForm {
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email: string
}

export interface OnBehalfForm {
  /** Why, for the audit trail; without the owner's name and address. */
  readonly reason: string
}

export type OpenApi = Readonly<Record<string, unknown>>

export interface PostmarkReport {
  /** Bounce, SpamComplaint or Delivery; others are taken, and say nothing. */
  readonly RecordType: string
  readonly ID?: number | undefined
  readonly Type?: string | undefined
  readonly Email?: string | undefined
  readonly Recipient?: string | undefined
  readonly Details?: string | undefined
}

export interface Preferences {
  readonly email: string
  /** Why and since when the address gets no mail. */
  readonly suppression: {
    readonly cause: 'refused' | 'never-again' | 'blocked' | 'complaint'
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
    /** What stops every mail to the address; `cause` says the same where its owner asked for nothing. Null where only our own mails are stopped. */
    readonly block: {
      readonly cause: 'blocked' | 'complaint'
      /** RFC 3339, UTC, with milliseconds. */
      readonly since: string
    } | null
  } | null
  readonly subscriptions: readonly {
    readonly name: string
    readonly email: string
    readonly id: number
    readonly feed: string
    readonly status: 'pending' | 'confirmed' | 'ended'
    readonly locale: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly created_at: string
    /** RFC 3339, UTC, with milliseconds. */
    readonly confirmed_at: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly ended_at: string | null
    /** The feed's. */
    readonly title: string
    /** Whether the feed accepts sign-ups. */
    readonly open: boolean
    /** What was given for the fields of the feed, by their names; absent where that is nothing. */
    readonly fields?: Readonly<Record<string, unknown>> | undefined
  }[]
}

export interface PreferencesChange {
  readonly message: string
  /** As they are now; null once everything is erased. */
  readonly preferences: Preferences | null
}

export interface PreferencesForm {
  readonly action: 'subscribe' | 'update' | 'end' | 'end-all' | 'erase' | 'never-again' | 'allow'
  /** For 'subscribe', 'update' and 'end': the name of a feed of which the address has a subscription. */
  readonly feed?: string | null | undefined
  /** For 'erase': that no mail may be sent to the address afterwards. */
  readonly never_again?: boolean | null | undefined
  /** For 'update': the value of a field of the feed that its owner may change. */
  readonly [name: `field_${string}`]: string | number | boolean | null | undefined
}

export interface PreferencesRequestForm {
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email: string
  /** A BCP 47 language tag, for the page that answers. `de_DE` counts as `de-DE`; one that cannot be read is ignored. */
  readonly locale?: string | null | undefined
  /** Leave it out: people do not see this field. */
  readonly website?: string | null | undefined
  /** The solution of a challenge, if challenges are on: base64 of JSON, as the ALTCHA widget makes it. */
  readonly altcha?: string | null | undefined
}

export interface PreviewForm {
  readonly mail: 'confirmation' | 'reminder' | 'already-subscribed' | 'welcome'
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly to: string
  /** Of its reader; by default that of the feed. */
  readonly language?: string | null | undefined
}

export interface Readiness {
  readonly status: 'ready' | 'unavailable'
  readonly storage: 'ok' | 'down'
  readonly outbox: 'ok' | 'failing' | 'parked' | 'stuck'
}

export interface ReasonForm {
  /** The reason for the audit trail; without a name or an address. */
  readonly reason?: string | null | undefined
}

export interface Recipient {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly locale: string | null
  /** The values of the feed's fields, by name. */
  readonly fields: Readonly<Record<string, unknown>>
  /** RFC 3339, UTC, with milliseconds. */
  readonly confirmed_at: string
  /** Ends the subscription; in one click where a mail client sends a POST (RFC 8058). */
  readonly unsubscribe_url: string
  /** A page that mails the link to its preferences to the address of the subscription. */
  readonly manage_url: string
  /** Header fields of the mail, ready to be set. */
  readonly headers: {
    readonly 'List-Unsubscribe': string
    readonly 'List-Unsubscribe-Post': string
    readonly 'List-Id': string
  }
}

export interface RecipientFeedback {
  readonly kind: 'bounce' | 'complaint'
  /** The id of the recipient. */
  readonly subscription: number
  /** Of a bounce without a status: whether it was final. By default as the first digit of the status says. */
  readonly permanent?: boolean | null | undefined
  /** The enhanced status code (RFC 3463), such as 5.1.1. */
  readonly status?: string | null | undefined
  /** When it came about (RFC 3339); by default now. */
  readonly at?: string | null | undefined
  /** What the provider calls this report: the same one counts once within 30 days. */
  readonly provider_id?: string | null | undefined
  /** An id and an address exclude each other. */
  readonly address?: null | undefined
}

/** First the head, then one for each recipient, and last how many there are. */
export type RecipientLine = RecipientsHead | Recipient | RecipientsEnd

export interface RecipientsCheck {
  /** Ids of recipients. One that comes twice is answered once. */
  readonly ids: readonly number[]
}

export interface RecipientsEnd {
  readonly recipients: number
}

export interface RecipientsHead {
  readonly feed: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly at: string
  /** The 'after' of the events to read next: it was taken before the first recipient was read. */
  readonly events_after: string
}

export interface Redelivery {
  readonly webhook: string
  /** All events after this sequence are sent again; null if none are. */
  readonly after: string | null
  /** How many that were given up are sent again. */
  readonly retried: number
}

export interface RedeliveryForm {
  /** The 'sequence' of an event: all events after it are sent again. */
  readonly after?: string | null | undefined
  /** All events from then on are sent again. */
  readonly since?: string | null | undefined
  /** Those that were given up are sent again. */
  readonly parked?: boolean | null | undefined
}

export interface RefusedRow {
  /** The line of the file that the row begins in. */
  readonly line: number
  readonly error: 'FeedNotFound' | 'InvalidInput' | 'MalformedRow' | 'Suppressed'
  /** What to do about it. */
  readonly message: string
  readonly details?:
    | readonly {
        readonly field: string
        readonly message: string
      }[]
    | undefined
}

export interface RefusedUserRow {
  /** The line of the file that the row begins in. */
  readonly line: number
  readonly error: 'EmailTaken' | 'InvalidInput' | 'MalformedRow' | 'UserDeleted' | 'UserExists'
  /** What to do about it. */
  readonly message: string
  readonly details?:
    | readonly {
        readonly field: string
        readonly message: string
      }[]
    | undefined
}

export type Role = 'admin' | 'auditor' | 'form' | 'provisioner' | 'sender' | (string & Record<never, never>)

/** What happened to mails. */
export type SendgridReport = readonly {
  readonly email: string
  /** bounce, dropped, spamreport or delivered; others are taken, and say nothing. */
  readonly event: string
  readonly timestamp?: number | undefined
  readonly sg_event_id?: string | undefined
  readonly type?: string | undefined
  readonly status?: string | undefined
  readonly reason?: string | undefined
}[]

export type SignUpResult = SubscriptionResult | SubscriptionsResult

export interface SnsMessage {
  readonly Type: string
  readonly MessageId: string
  readonly TopicArn: string
  /** JSON of Amazon SES. */
  readonly Message: string
  readonly Timestamp: string
  readonly SignatureVersion: string
  readonly Signature: string
  readonly SigningCertURL: string
  readonly Subject?: string | null | undefined
  readonly SubscribeURL?: string | null | undefined
  readonly Token?: string | null | undefined
}

export interface Stats {
  /** Null if the numbers are of all feeds. */
  readonly feed: string | null
  /** The first day. */
  readonly from: string
  /** The last day. */
  readonly to: string
  readonly by: 'day' | 'week' | 'month'
  /** How many there are now. */
  readonly subscriptions: {
    readonly pending: number
    readonly confirmed: number
    readonly ended: number
  }
  /** Every period, oldest first, also those in which there was nothing. */
  readonly periods: readonly {
    /** Its first day of those that were asked for. */
    readonly start: string
    /** Sign-ups that began a subscription, or began it again. */
    readonly requested: number
    /** Mails that asked to confirm and that the relay took, in each feed that they named; not reminders. */
    readonly mailed: number
    readonly confirmed: number
    /** By the cause; an import is no cause. */
    readonly ended: {
      readonly unsubscribed: number
      readonly refused: number
      readonly moved: number
      readonly complained: number
      readonly by_caller: number
      readonly erased: number
      readonly expired: number
    }
    /** Mails that came back and said something about the address. */
    readonly bounced: number
    readonly complained: number
    /** Forms that a rule kept without effect, or without a mail. What is refused before it is read is in the metrics alone. */
    readonly turned_away: {
      readonly honeypot: number
      readonly blocked_domain: number
      readonly suppressed: number
      readonly mail_cap: number
      readonly unknown_address: number
    }
    /** Rows of files, which are counted nowhere else. */
    readonly imported: {
      readonly pending: number
      readonly confirmed: number
      readonly ended: number
      readonly undeliverable: number
    }
  }[]
}

export interface StoredAboutAddress {
  readonly email: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly exported_at: string
  /** Why and since when the address gets no mail. */
  readonly suppression: {
    readonly cause: 'refused' | 'never-again' | 'blocked' | 'complaint'
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
    /** What stops every mail to the address; `cause` says the same where its owner asked for nothing. Null where only our own mails are stopped. */
    readonly block: {
      readonly cause: 'blocked' | 'complaint'
      /** RFC 3339, UTC, with milliseconds. */
      readonly since: string
    } | null
  } | null
  /** The bounces of mails to the address; null where there were none. */
  readonly deliverability: {
    readonly state: 'failing' | 'undeliverable'
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
    /** The last enhanced status code (RFC 3463) that was reported, if there was one. */
    readonly status: string | null
  } | null
  /** What senders reported of the address that waits for an administrator. */
  readonly waiting_feedback: readonly {
    readonly kind: 'bounce' | 'complaint'
    readonly permanent: boolean
    readonly status: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly at: string
    /** Since when it waits. */
    readonly since: string
  }[]
  /** What was asked about the address and is not carried out yet, with all that a form said. */
  readonly waiting_requests: readonly {
    /** RFC 3339, UTC, with milliseconds. */
    readonly at: string
    readonly kind: 'sign-up' | 'preferences' | 'manage' | 'move' | 'trap'
    /** Since when it waits for a person, because it could not be carried out. */
    readonly parked_at: string | null
    readonly email?: string | undefined
    readonly name?: string | undefined
    readonly locale?: string | null | undefined
    readonly feeds?:
      | readonly {
          readonly feed: string
          readonly wording: string
          /** What was given for the fields of the feed, by their names; absent where that is nothing. */
          readonly fields?: Readonly<Record<string, unknown>> | undefined
        }[]
      | undefined
    readonly via?: string | undefined
    /** Cut to /24 or /48. */
    readonly client_address?: string | null | undefined
    readonly user_agent?: string | null | undefined
  }[]
  readonly subscriptions: readonly {
    readonly name: string
    readonly email: string
    readonly id: number
    readonly feed: string
    readonly status: 'pending' | 'confirmed' | 'ended'
    readonly locale: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly created_at: string
    /** RFC 3339, UTC, with milliseconds. */
    readonly confirmed_at: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly ended_at: string | null
    /** The feed's. */
    readonly title: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly expires_at: string | null
    readonly consents: readonly {
      /** RFC 3339, UTC, with milliseconds. */
      readonly at: string
      readonly deed: 'requested' | 'confirmed' | 'refused' | 'ended' | 'allowed' | 'moved'
      /** How: a form, a link, an import, or the id of the caller. */
      readonly via: string
      /** Which wording the person was shown. */
      readonly wording: string
      readonly language: string | null
      /** Cut to /24 or /48. */
      readonly client_address: string | null
      readonly user_agent: string | null
      /** How often within ten minutes. */
      readonly count: number
      /** Null for the service's own wording. */
      readonly wording_text: string | null
    }[]
    readonly owed_mail: {
      readonly kind: 'confirmation' | 'reminder' | 'already-subscribed' | 'welcome' | 'preferences' | 'move' | 'moved'
      readonly message_id: string
      /** RFC 3339, UTC, with milliseconds. */
      readonly created_at: string
      /** RFC 3339, UTC, with milliseconds. */
      readonly not_before: string
      /** RFC 3339, UTC, with milliseconds. */
      readonly expires_at: string | null
      readonly attempts: number
      readonly last_error: string | null
      /** RFC 3339, UTC, with milliseconds. */
      readonly parked_at: string | null
    } | null
    /** Message-IDs of the mails that are kept as files. */
    readonly kept_mails: readonly string[]
    /** What a change of address made it of. */
    readonly moved_from: readonly number[]
    /** When a reminder is to follow, unless it is confirmed before. */
    readonly remind_at: string | null
    /** What was given for the fields of the feed, by their names; absent where that is nothing. */
    readonly fields?: Readonly<Record<string, unknown>> | undefined
    readonly ended_because?: 'moved' | undefined
    /** The subscription that a change of address made of it. */
    readonly moved_to?: number | undefined
  }[]
  /** The mails to its mailbox of the last week, which count towards the caps. */
  readonly mails_sent: readonly {
    /** RFC 3339, UTC, with milliseconds. */
    readonly at: string
    readonly message_id: string
  }[]
  /** A change of this address that was requested, or can still be undone. */
  readonly move: {
    /** The new address; null once it has confirmed. */
    readonly email: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly requested_at: string
    /** RFC 3339, UTC, with milliseconds. */
    readonly moved_at: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly undone_at: string | null
    /** Until when it can be confirmed; then, until when it can be undone. */
    readonly expires_at: string
  } | null
  /** When its mailbox was last reminded; kept for 30 days. */
  readonly reminded_at: string | null
  /** When its owner, who wants no mail, last had the link to the preferences; kept for 30 days. */
  readonly link_mailed_at: string | null
}

export interface SubscribeForm {
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email: string
  readonly name?: string | null | undefined
  /** The name of a feed; by default 'default'. */
  readonly feed?: string | null | undefined
  /** In place of `feed`: the names of several feeds, for which one mail is sent. */
  readonly feeds?: readonly string[] | null | undefined
  /** A BCP 47 language tag, for mails and pages. `de_DE` counts as `de-DE`; one that cannot be read is ignored. */
  readonly locale?: string | null | undefined
  /** Leave it out: people do not see this field. */
  readonly website?: string | null | undefined
  /** The solution of a challenge, if challenges are on: base64 of JSON, as the ALTCHA widget makes it. */
  readonly altcha?: string | null | undefined
  /** Where to send a browser back to: exactly one of the feed's return URLs. */
  readonly return_to?: string | null | undefined
  /** Only for the sign-up page itself: when it was shown, signed. */
  readonly stamp?: string | null | undefined
  /** The value of a field that the feed asks for. */
  readonly [name: `field_${string}`]: string | number | boolean | null | undefined
}

export interface Subscription {
  readonly name: string
  readonly email: string
  readonly id: number
  readonly feed: string
  readonly status: 'pending' | 'confirmed' | 'ended'
  readonly locale: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly confirmed_at: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly ended_at: string | null
  /** What was given for the fields of the feed, by their names; absent where that is nothing. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly ended_because?: 'moved' | undefined
  /** The subscription that a change of address made of it. */
  readonly moved_to?: number | undefined
}

export interface SubscriptionList {
  readonly items: readonly Subscription[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
  /** The cursor of the page before; null at the beginning. */
  readonly previous: string | null
  /** How many the whole list has; not there if it is narrowed down to an address or by a query. */
  readonly total?: number | undefined
}

export interface SubscriptionResult {
  readonly message: string
  readonly subscription: {
    readonly name: string
    /** As submitted. */
    readonly email: string
    readonly id: number
    readonly feed: string
  }
}

export interface SubscriptionsResult {
  readonly message: string
  /** One for each of the `feeds`, in their order. */
  readonly subscriptions: readonly {
    readonly name: string
    /** As submitted. */
    readonly email: string
    readonly id: number
    readonly feed: string
  }[]
}

export interface Suppression {
  /** A keyed hash. */
  readonly address: string
  readonly cause: 'refused' | 'never-again' | 'blocked' | 'complaint'
  /** RFC 3339, UTC, with milliseconds. */
  readonly since: string
  /** What stops every mail to the address; `cause` says the same where its owner asked for nothing. Null where only our own mails are stopped. */
  readonly block: {
    readonly cause: 'blocked' | 'complaint'
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
  } | null
}

export interface SuppressionImportRow {
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email: string
  /** A complaint and an unsubscribed address are blocked, a bounce is undeliverable. */
  readonly cause: 'complaint' | 'unsubscribed' | 'blocked' | 'bounce'
  /** Since when: RFC 3339, or a date; UTC without an offset. By default now. */
  readonly at?: string | null | undefined
}

export interface SuppressionImportSummary {
  readonly rows: number
  readonly imported: number
  /** Were known already, or are bounces from before a confirmation. */
  readonly unchanged: number
  readonly refused: number
  /** Of the imported ones: no mail may go to them any more. */
  readonly blocked: number
  /** Of the imported ones: mails to them come back. */
  readonly undeliverable: number
  readonly interrupted: boolean
  /** Nothing was changed; missing where it was. */
  readonly dry_run?: true | undefined
  /** The columns that were not used; missing where there were none. */
  readonly ignored?: readonly string[] | undefined
  /** Optional values that could not be read, and were left out; missing where there were none. */
  readonly unread?:
    | readonly {
        readonly field: string
        /** The first of them. */
        readonly value: string
        readonly count: number
      }[]
    | undefined
}

export interface SuppressionList {
  readonly items: readonly Suppression[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

/** One for each refused row, then the summary; or, if the import breaks off, why. */
export type SuppressionReportLine = RefusedRow | SuppressionImportSummary | BrokenOff

export interface SuppressionsCheck {
  /** E-mail addresses, read as a sign-up reads them. One that comes twice is answered once. */
  readonly addresses: readonly string[]
}

export interface Token {
  /** The token's id, not the token. */
  readonly jti: string
  /** The user or the program that it is for. */
  readonly subject: string
  readonly roles: readonly string[]
  /** The only feeds that exist for it; null if it is not bound to feeds. */
  readonly feeds: readonly string[] | null
  readonly label: string
  /** The id of the caller that issued it. */
  readonly issued_by: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly issued_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly expires_at: string
  /** To the hour. */
  readonly last_used_at: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly revoked_at: string | null
}

export interface TokenList {
  readonly items: readonly Token[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface Undeliverable {
  /** A keyed hash. */
  readonly address: string
  readonly state: 'failing' | 'undeliverable'
  /** RFC 3339, UTC, with milliseconds. */
  readonly since: string
  /** The last enhanced status code (RFC 3463) that was reported, if there was one. */
  readonly status: string | null
}

export interface UndeliverableList {
  readonly items: readonly Undeliverable[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated_at: string
  /** Since when it is suspended; there only while it is. */
  readonly suspended_at?: string | undefined
  /** The day on which a token of the user or a session of the console was last taken, as its midnight (UTC); there only once one was. It is no change of the user: neither `updated_at` nor a condition by `If-Match` follows it. */
  readonly last_seen_at?: string | undefined
}

export interface UserExport {
  readonly user: User
  /** Of the same address. */
  readonly subscriptions: readonly Subscription[]
  /** The bounces of mails to the same address; null where there were none. */
  readonly deliverability: {
    readonly state: 'failing' | 'undeliverable'
    /** RFC 3339, UTC, with milliseconds. */
    readonly since: string
    /** The last enhanced status code (RFC 3463) that was reported, if there was one. */
    readonly status: string | null
  } | null
  /** What senders reported of the address that waits for an administrator. */
  readonly waiting_feedback: readonly {
    readonly kind: 'bounce' | 'complaint'
    readonly permanent: boolean
    readonly status: string | null
    /** RFC 3339, UTC, with milliseconds. */
    readonly at: string
    /** Since when it waits. */
    readonly since: string
  }[]
  /** What was asked about the address and is not carried out yet, with all that a form said. */
  readonly waiting_requests: readonly {
    /** RFC 3339, UTC, with milliseconds. */
    readonly at: string
    readonly kind: 'sign-up' | 'preferences' | 'manage' | 'move' | 'trap'
    /** Since when it waits for a person, because it could not be carried out. */
    readonly parked_at: string | null
    readonly email?: string | undefined
    readonly name?: string | undefined
    readonly locale?: string | null | undefined
    readonly feeds?:
      | readonly {
          readonly feed: string
          readonly wording: string
          /** What was given for the fields of the feed, by their names; absent where that is nothing. */
          readonly fields?: Readonly<Record<string, unknown>> | undefined
        }[]
      | undefined
    readonly via?: string | undefined
    /** Cut to /24 or /48. */
    readonly client_address?: string | null | undefined
    readonly user_agent?: string | null | undefined
  }[]
  /** Access tokens that were issued to it here, as far as they are listed. */
  readonly tokens: readonly Token[]
  /** Its sessions of the console. */
  readonly sessions: readonly {
    /** Opens nothing. */
    readonly id: string
    readonly subject: string
    readonly role_source: 'token' | 'stored' | 'operator'
    /** RFC 3339, UTC, with milliseconds. */
    readonly created_at: string
    /** Give or take a minute. */
    readonly seen_at: string
    /** RFC 3339, UTC, with milliseconds. */
    readonly expires_at: string
  }[]
  /** What the user did, and what was done to it. */
  readonly audit: readonly AuditRecord[]
  /** What a directory says of it by SCIM; there only where one does. */
  readonly provisioned?:
    | {
        readonly user_name: string
        readonly external_id?: string | undefined
        readonly name_formatted?: string | undefined
        readonly family_name?: string | undefined
        readonly given_name?: string | undefined
        readonly email_type?: string | undefined
        readonly email_primary?: boolean | undefined
      }
    | undefined
}

export interface UserForm {
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email: string
  readonly name: string
  /** In a form: separated by spaces. */
  readonly roles: readonly Role[]
}

/** One for each refused row, then the summary; or, if the import breaks off, why. */
export type UserImportReportLine = RefusedUserRow | UserImportSummary | BrokenOff

export interface UserImportRow {
  readonly id: string
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email: string
  readonly name?: string | null | undefined
  /** A list, or a text with spaces between them. */
  readonly roles?: string | null | readonly Role[] | undefined
}

export interface UserImportSummary {
  readonly rows: number
  readonly imported: number
  readonly refused: number
  readonly interrupted: boolean
  /** Nothing was changed; missing where it was. */
  readonly dry_run?: true | undefined
  /** The columns that were not used; missing where there were none. */
  readonly ignored?: readonly string[] | undefined
}

export interface UserList {
  readonly items: readonly User[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
  /** The cursor of the page before; null at the beginning. */
  readonly previous: string | null
}

export interface UserPatch {
  /** At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends. */
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** All that the user has from then on. */
  readonly roles?: readonly Role[] | undefined
}

export interface WaitingFeedback {
  readonly id: number
  /** Who reported it. */
  readonly caller: string
  /** The feeds that the caller is bound to; null without bounds. */
  readonly feeds: readonly string[] | null
  readonly kind: 'bounce' | 'complaint'
  /** A keyed hash. */
  readonly address: string
  readonly subscription: number | null
  readonly permanent: boolean
  readonly status: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly at: string
  /** Since when it waits. */
  readonly since: string
}

export interface WaitingFeedbackList {
  readonly items: readonly WaitingFeedback[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface Webhook {
  readonly name: string
  readonly url: string
  /** Which events are sent there. */
  readonly types: readonly (
    | 'subscription.pending'
    | 'subscription.confirmed'
    | 'subscription.ended'
    | 'subscription.erased'
    | 'subscription.updated'
    | 'subscription.blocked'
    | 'subscription.unblocked'
    | 'subscription.undeliverable'
    | 'subscription.deliverable'
    | 'user.created'
    | 'user.updated'
    | 'user.suspended'
    | 'user.resumed'
    | 'user.deleted'
  )[]
  readonly enabled: boolean
  /** 'failing': all deliveries failed for three days. 'gone': it answered 410. */
  readonly disabled_because: 'by-hand' | 'failing' | 'gone' | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly disabled_since: string | null
  /** Since when it has taken none of the events that it was sent; null if it took the last one. */
  readonly failing_since: string | null
  /** Until then the secret before the last rotation signs, too. */
  readonly previous_secret_until: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated_at: string
}

export interface WebhookForm {
  /** The target: https, and a public address unless others are allowed. */
  readonly url: string
  /** The types of events to send; by default all. In a form: separated by spaces. */
  readonly types?:
    | readonly (
        | 'subscription.pending'
        | 'subscription.confirmed'
        | 'subscription.ended'
        | 'subscription.erased'
        | 'subscription.updated'
        | 'subscription.blocked'
        | 'subscription.unblocked'
        | 'subscription.undeliverable'
        | 'subscription.deliverable'
        | 'user.created'
        | 'user.updated'
        | 'user.suspended'
        | 'user.resumed'
        | 'user.deleted'
      )[]
    | null
    | undefined
  /** Whether events are sent; by default true. */
  readonly enabled?: boolean | null | undefined
}

export interface WebhookList {
  readonly items: readonly Webhook[]
  /** The cursor of the next page; null at the end. */
  readonly next: string | null
}

export interface WebhookPatch {
  /** The target: https, and a public address unless others are allowed. */
  readonly url?: string | undefined
  /** By default all. */
  readonly types?:
    | readonly (
        | 'subscription.pending'
        | 'subscription.confirmed'
        | 'subscription.ended'
        | 'subscription.erased'
        | 'subscription.updated'
        | 'subscription.blocked'
        | 'subscription.unblocked'
        | 'subscription.undeliverable'
        | 'subscription.deliverable'
        | 'user.created'
        | 'user.updated'
        | 'user.suspended'
        | 'user.resumed'
        | 'user.deleted'
      )[]
    | null
    | undefined
  /** By default true. */
  readonly enabled?: boolean | null | undefined
}

export interface WebhookRotationForm {
  /** Whether old secrets stop signing at once. */
  readonly revoke?: boolean | null | undefined
}

export interface WebhookWithSecret {
  readonly name: string
  readonly url: string
  /** Which events are sent there. */
  readonly types: readonly (
    | 'subscription.pending'
    | 'subscription.confirmed'
    | 'subscription.ended'
    | 'subscription.erased'
    | 'subscription.updated'
    | 'subscription.blocked'
    | 'subscription.unblocked'
    | 'subscription.undeliverable'
    | 'subscription.deliverable'
    | 'user.created'
    | 'user.updated'
    | 'user.suspended'
    | 'user.resumed'
    | 'user.deleted'
  )[]
  readonly enabled: boolean
  /** 'failing': all deliveries failed for three days. 'gone': it answered 410. */
  readonly disabled_because: 'by-hand' | 'failing' | 'gone' | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly disabled_since: string | null
  /** Since when it has taken none of the events that it was sent; null if it took the last one. */
  readonly failing_since: string | null
  /** Until then the secret before the last rotation signs, too. */
  readonly previous_secret_until: string | null
  /** RFC 3339, UTC, with milliseconds. */
  readonly created_at: string
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated_at: string
  /** Shown only here. Store it. */
  readonly secret: string
}
