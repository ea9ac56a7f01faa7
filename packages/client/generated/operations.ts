// Made from the OpenAPI document by 'npm run generate'. Do not edit.

import type { FileBody, Picture } from '../src/file-body.ts'
import type {
  AuditList,
  BulkForm,
  BulkReport,
  Challenge,
  CheckedRecipients,
  CheckedSuppressions,
  ConfirmationForm,
  ConsentList,
  DecidedFeedback,
  ErasureReceipt,
  EventList,
  Explanation,
  ExportedSubscription,
  Feed,
  FeedbackDecision,
  FeedbackReport,
  FeedForm,
  FeedList,
  HeldUserList,
  ImportReportLine,
  ImportRow,
  KeySet,
  Liveness,
  Message,
  MoveForm,
  OnBehalfForm,
  OpenApi,
  PostmarkReport,
  Preferences,
  PreferencesChange,
  PreferencesForm,
  PreferencesRequestForm,
  PreviewForm,
  Readiness,
  ReasonForm,
  RecipientLine,
  RecipientsCheck,
  Redelivery,
  RedeliveryForm,
  Role,
  SendgridReport,
  SignUpResult,
  SnsMessage,
  Stats,
  StoredAboutAddress,
  SubscribeForm,
  Subscription,
  SubscriptionList,
  SuppressionImportRow,
  SuppressionList,
  SuppressionReportLine,
  SuppressionsCheck,
  TokenList,
  UndeliverableList,
  User,
  UserExport,
  UserForm,
  UserImportReportLine,
  UserImportRow,
  UserList,
  UserPatch,
  WaitingFeedbackList,
  Webhook,
  WebhookForm,
  WebhookList,
  WebhookPatch,
  WebhookRotationForm,
  WebhookWithSecret,
} from './schemas.ts'

/** What each operation takes and answers, by its `operationId`. */
export interface Operations {
  /** Request a subscription. The answer is the same whether or not the address is known. Needs no access token, or, to name a visitor, one of: admin, form. */
  readonly subscribe: {
    readonly params: {
      /** The address of the visitor whose form a site's own server passes on, with a token: limits and the evidence of consent go by it. */
      readonly visitorAddress?: string | undefined
      readonly body: SubscribeForm
    }
    readonly answers: {
      readonly 200: SignUpResult
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** The sign-up page of a feed, or of several. Needs no access token. */
  readonly showSignUp: {
    readonly params: {
      /** The name of a feed. */
      readonly feed?: string | undefined
      /** In place of `feed`: the names of several feeds, separated by spaces. */
      readonly feeds?: string | undefined
      /** Where the form sends the browser back to: exactly one of the feed's return URLs. */
      readonly return_to?: string | undefined
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unavailable'
  }
  /** An ALTCHA challenge (version 2), to be solved before a form is accepted. 404 if challenges are off. Needs no access token. */
  readonly getChallenge: {
    readonly params: Readonly<Record<never, never>>
    readonly answers: {
      readonly 200: Challenge
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'NotFound'
      | 'RequestTimeout'
      | 'Unavailable'
  }
  /** The script that solves challenges on a page. 404 if challenges are off. Needs no access token. */
  readonly getChallengeScript: {
    readonly params: {
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: string
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'NotFound'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unavailable'
  }
  /** A page with a button that confirms. Changes nothing. Needs no access token: the link is the permission. */
  readonly showConfirm: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** Confirm a pending subscription, or those that the mail was about. Idempotent. Needs no access token: the link is the permission. */
  readonly confirm: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
      readonly body?: ConfirmationForm | undefined
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'InvalidInput'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** A page with a button that says 'this was not me'. Changes nothing. Needs no access token: the link is the permission. */
  readonly showRefuse: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** End the subscription, and all such mails to the address. Needs no access token: the link is the permission. */
  readonly refuse: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** A page with a button that ends the subscription. Changes nothing. Needs no access token: the link is the permission. */
  readonly showUnsubscribe: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** End the subscription in one click (RFC 8058). The body is ignored, whatever its type. Needs no access token: the link is the permission. */
  readonly unsubscribe: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** The page where an address asks for the link to its preferences. Needs no access token. */
  readonly showPreferencesForm: {
    readonly params: Readonly<Record<never, never>>
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unavailable'
  }
  /** Have the link to its preferences mailed to an address. Whatever is known of it, the answer is the same. Needs no access token. */
  readonly requestPreferences: {
    readonly params: {
      readonly body: PreferencesRequestForm
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** What is subscribed with the address that the link was mailed to. Changes nothing. Needs no access token: the link is the permission. */
  readonly showPreferences: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: Preferences
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** Subscribe to or end one feed, end or erase everything, or say whether mails may come again. Needs no access token: the link is the permission. */
  readonly changePreferences: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
      readonly body: PreferencesForm
    }
    readonly answers: {
      readonly 200: PreferencesChange
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'InvalidInput'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Everything that is stored about the address that the link was mailed to, to be kept as a file. Needs no access token: the link is the permission. */
  readonly exportPreferences: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: StoredAboutAddress
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** A page with a button, for the link in a sender's mails. Changes nothing, and says nothing of the subscription. Needs no access token: the link is the permission. */
  readonly showManage: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** Have the link to its preferences mailed to the address of the subscription. Whatever became of it, the answer is the same. Needs no access token: the link is the permission. */
  readonly mailPreferences: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Ask to move the confirmed subscriptions to another address, which gets a mail with a link to confirm that. Whatever is known of it, the answer is the same. Needs no access token: the link is the permission. */
  readonly requestMove: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
      readonly body: MoveForm
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'InvalidInput'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** A page with a button that moves the subscriptions. Changes nothing. Needs no access token: the link is the permission. */
  readonly showMove: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** Move the confirmed subscriptions of the old address to this one. Idempotent. Needs no access token: the link is the permission. */
  readonly carryOutMove: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** A page with a button that undoes a change of address. Changes nothing. Needs no access token: the link is the permission. */
  readonly showUndo: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
  }
  /** Undo a change of address, within seven days: the subscriptions that it has made end, the old ones are confirmed. Needs no access token: the link is the permission. */
  readonly undoMove: {
    readonly params: {
      /** The token of the link in the mail. */
      readonly token: string
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'LinkNotValid'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Users, oldest first unless sorted otherwise. Needs one of: admin, auditor. */
  readonly listUsers: {
    readonly params: {
      /** Words that all must match: each is the beginning of the id, of a word of the name, of the e-mail address or of its domain. Case and accents do not matter. A page of a search may have fewer than its limit, or none, before the end: go on with its next. */
      readonly query?: string | undefined
      /** Only users with this role. */
      readonly role?: Role | undefined
      /** Only users that are suspended, or only the others. */
      readonly suspended?: boolean | undefined
      /** Only users who were neither seen nor created on this day (UTC) or later; the oldest are then those who were longest not. Not together with `query`. */
      readonly inactive_since?: string | undefined
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' or the 'previous' of a page of the same order. */
      readonly cursor?: string | undefined
      /** Which come first. */
      readonly sort?: 'oldest' | 'newest' | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: UserList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Deleted users that can still be restored, in the order of their ids. Needs one of: admin. */
  readonly listHeldUsers: {
    readonly params: {
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' of the page before. */
      readonly cursor?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: HeldUserList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Add users from a file of any length; existing users are not changed. The answer has a line for each refused row, and the summary as the last line, which names every column that was not used. What a line reports is already stored. Read the answer while you send. Needs one of: admin. */
  readonly importUsers: {
    readonly params: {
      /** Whether only to report what would happen to each row, and change nothing. */
      readonly dry_run?: boolean | undefined
      /** What a field is called in the file, as in 'email:E-Mail,name:Full Name'. */
      readonly map?: string | undefined
      /** Columns that decide nothing, or are not to. One about roles or access that is neither mapped nor ignored stops the import before anything is stored. Separated by commas, a name that holds a comma in quotes. */
      readonly ignore?: string | undefined
      readonly body: FileBody<UserImportRow>
    }
    readonly answers: {
      readonly 200: AsyncIterable<UserImportReportLine>
    }
    readonly stream: UserImportReportLine
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** One user. A caller who may not know of it gets the same 404 as for an unknown user. Needs one of: admin, auditor, self. */
  readonly getUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: User
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UserDeleted'
      | 'UserNotFound'
  }
  /** Create or replace a user. Needs one of: admin. */
  readonly putUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: UserForm
    }
    readonly answers: {
      readonly 201: User
      readonly 204: undefined
    }
    readonly errors:
      | 'EmailTaken'
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'LastAdministrator'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'UserDeleted'
  }
  /** Change some fields of a user; what is left out stays as it is. Needs one of: admin. */
  readonly patchUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: UserPatch
    }
    readonly answers: {
      readonly 200: User
    }
    readonly errors:
      | 'EmailTaken'
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'LastAdministrator'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'UserDeleted'
      | 'UserNotFound'
  }
  /** Delete a user permanently. Needs one of: admin. */
  readonly deleteUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Whether to erase the subscriptions of the same address, too. */
      readonly subscriptions?: 'keep' | 'erase' | undefined
      /** Why, for the audit trail; without the user's name and address. */
      readonly reason?: string | undefined
      /** How many subscriptions of the same address the caller knows of; with any other number 412. */
      readonly subscriptions_expected?: number | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'LastAdministrator'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UserDeleted'
      | 'UserNotFound'
  }
  /** Everything that is stored about the user. Needs one of: admin, self. */
  readonly exportUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
    }
    readonly answers: {
      readonly 200: UserExport
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UserDeleted'
      | 'UserNotFound'
  }
  /** The receipt of a deletion: when, by which caller, why, what was erased, and what was kept. Needs one of: admin, auditor. */
  readonly getErasureReceipt: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: ErasureReceipt
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'ReceiptNotFound'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Undo a deletion within its grace period. Tokens issued before stay refused. Needs one of: admin. */
  readonly restoreUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body?: ReasonForm | undefined
    }
    readonly answers: {
      readonly 200: User
    }
    readonly errors:
      | 'EmailTaken'
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SuspensionNotKept'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'UserDeleted'
      | 'UserNameTaken'
      | 'UserNotFound'
  }
  /** Take access from a user: all its tokens are refused from now on, on every instance. Needs one of: admin. */
  readonly suspendUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body?: ReasonForm | undefined
    }
    readonly answers: {
      readonly 200: User
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'LastAdministrator'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SuspensionNotKept'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'UserDeleted'
      | 'UserNotFound'
  }
  /** Give access back to a suspended user. Tokens issued before stay refused. Needs one of: admin. */
  readonly resumeUser: {
    readonly params: {
      /** The id of a user: visible ASCII, the same as a token's 'sub'; not '.' or '..', and not beginning 'operator:'. */
      readonly userId: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body?: ReasonForm | undefined
    }
    readonly answers: {
      readonly 200: User
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SuspensionNotKept'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'UserDeleted'
      | 'UserNotFound'
  }
  /** Delete many users permanently, or say what that would do. Needs one of: admin. */
  readonly deleteUsers: {
    readonly params: {
      readonly body: BulkForm
    }
    readonly answers: {
      readonly 200: BulkReport
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Undo the deletions of many users within their grace period, or say what that would do. Needs one of: admin. */
  readonly restoreUsers: {
    readonly params: {
      readonly body: BulkForm
    }
    readonly answers: {
      readonly 200: BulkReport
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Take access from many users, or say what that would do. Needs one of: admin. */
  readonly suspendUsers: {
    readonly params: {
      readonly body: BulkForm
    }
    readonly answers: {
      readonly 200: BulkReport
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Give access back to many suspended users, or say what that would do. Needs one of: admin. */
  readonly resumeUsers: {
    readonly params: {
      readonly body: BulkForm
    }
    readonly answers: {
      readonly 200: BulkReport
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Give many users roles and take others, or say what that would do. Needs one of: admin. */
  readonly changeRoles: {
    readonly params: {
      readonly body: BulkForm
    }
    readonly answers: {
      readonly 200: BulkReport
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Feeds, oldest first. Needs one of: admin, auditor. */
  readonly listFeeds: {
    readonly params: {
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' of the page before. */
      readonly cursor?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: FeedList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** One feed. Needs one of: admin, auditor. */
  readonly getFeed: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: Feed
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Create or replace a feed. What is left out is as for a new one, except the wording, the fields and the face (logo, accent, footer, words and welcome): they stay. Needs one of: admin. */
  readonly putFeed: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** What becomes of the values of fields that are no longer declared; with 'keep', such a field cannot go (409). */
      readonly fields?: 'keep' | 'erase' | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body?: FeedForm | undefined
    }
    readonly answers: {
      readonly 201: Feed
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedInUse'
      | 'FieldInUse'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Change some fields of a feed; what is left out stays as it is, and what is null is as for a new one. Needs one of: admin. */
  readonly patchFeed: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** What becomes of the values of fields that are no longer declared; with 'keep', such a field cannot go (409). */
      readonly fields?: 'keep' | 'erase' | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: FeedForm
    }
    readonly answers: {
      readonly 200: Feed
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedInUse'
      | 'FeedNotFound'
      | 'FieldInUse'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Delete a feed; not 'default'. One with subscriptions takes nothing any more until all of them are erased. Needs one of: admin. */
  readonly deleteFeed: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Whether to erase its subscriptions, too; with 'keep', a feed that has any stays. */
      readonly subscriptions?: 'keep' | 'erase' | undefined
      /** Why, for the audit trail. */
      readonly reason?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedInUse'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Subscriptions, oldest first unless sorted otherwise. Needs one of: admin, auditor. */
  readonly listSubscriptions: {
    readonly params: {
      /** Only those of this feed, which must exist. */
      readonly feed?: string | undefined
      /** Only those with this status. */
      readonly status?: 'pending' | 'confirmed' | 'ended' | undefined
      /** Only those of this address, on all feeds. */
      readonly email?: string | undefined
      /** An id; or words that all must match, each the beginning of the address, of its domain or of a word of the name. Case and accents do not matter. A page of a search may have fewer than its limit, or none, before the end: go on with its next. */
      readonly query?: string | undefined
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' or the 'previous' of a page of the same order. */
      readonly cursor?: string | undefined
      /** Which come first. */
      readonly sort?: 'oldest' | 'newest' | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: SubscriptionList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Why an address got a mail, or none: what is known of it in order of time, and one sentence that says what would make a mail go out now. Each question is in the audit trail. Needs one of: admin, auditor. */
  readonly explainSubscriptions: {
    readonly params: {
      /** The address. */
      readonly email: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: Explanation
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** One subscription. Needs one of: admin, auditor. */
  readonly getSubscription: {
    readonly params: {
      /** The id of a subscription. */
      readonly subscriptionId: number
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: Subscription
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SubscriptionNotFound'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Erase a subscription with everything that hangs on it. A suppression of its address stays. Needs one of: admin. */
  readonly eraseSubscription: {
    readonly params: {
      /** The id of a subscription. */
      readonly subscriptionId: number
      /** Why, for the audit trail; without the owner's name and address. */
      readonly reason?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SubscriptionNotFound'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** The whole ledger of what the owner agreed to, and how, oldest first. Needs one of: admin, auditor. */
  readonly getConsent: {
    readonly params: {
      /** The id of a subscription. */
      readonly subscriptionId: number
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: ConsentList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SubscriptionNotFound'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Confirm for an owner who said so elsewhere; again is as good as once. Needs one of: admin. */
  readonly confirmOnBehalf: {
    readonly params: {
      /** The id of a subscription. */
      readonly subscriptionId: number
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: OnBehalfForm
    }
    readonly answers: {
      readonly 200: Subscription
    }
    readonly errors:
      | 'AddressSuppressed'
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SubscriptionEnded'
      | 'SubscriptionNotFound'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** End for an owner who asked for it elsewhere; again is as good as once. Needs one of: admin. */
  readonly endOnBehalf: {
    readonly params: {
      /** The id of a subscription. */
      readonly subscriptionId: number
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: OnBehalfForm
    }
    readonly answers: {
      readonly 200: Subscription
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SubscriptionNotFound'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Addresses that get no mail of ours, or none at all, by hash, in the order in which they were suppressed. Needs one of: admin, auditor. */
  readonly listSuppressions: {
    readonly params: {
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' of the page before. */
      readonly cursor?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: SuppressionList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Which of these addresses must get no mail, because they are blocked or undeliverable. Changes nothing. A caller that may read suppressions gets the reasons, too. Needs one of: admin, sender. */
  readonly checkSuppressions: {
    readonly params: {
      readonly body: SuppressionsCheck
    }
    readonly answers: {
      readonly 200: CheckedSuppressions
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Take over a list of addresses that must get no mail, from a file of any length. A complaint and an unsubscribed address are blocked, a bounce is undeliverable. A time that cannot be read is left out. The answer has a line for each refused row, and the summary as the last line. What a line reports is already stored; the same file may be sent again. Needs one of: admin. */
  readonly importSuppressions: {
    readonly params: {
      /** Whether only to report what would happen to each row, and change nothing. */
      readonly dry_run?: boolean | undefined
      /** What a field is called in the file, as in 'email:E-Mail,name:Full Name'. */
      readonly map?: string | undefined
      /** What the words mean that the file has for a cause, as in 'Manual:blocked'; a cause alone is that of rows that say none. Words of other services, such as 'HardBounce', are known. A row with another word is refused. */
      readonly cause?: string | undefined
      readonly body: FileBody<SuppressionImportRow>
    }
    readonly answers: {
      readonly 200: AsyncIterable<SuppressionReportLine>
    }
    readonly stream: SuppressionReportLine
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Let mails go to an address again, and to its mailbox. A hash from the list is lifted alone. Where it is both refused by its owner and blocked, `cause` says which to lift. Needs one of: admin. */
  readonly liftSuppression: {
    readonly params: {
      /** The hash in the list, or the address itself. */
      readonly address: string
      /** Lifts this one alone, or all. */
      readonly cause?: 'refused' | 'never-again' | 'blocked' | 'complaint' | 'all' | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'SuppressionNotFound'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** What happened in the last 30 days, as CloudEvents 1.0, in the order in which it came about. Needs one of: admin, sender. */
  readonly listEvents: {
    readonly params: {
      /** The 'sequence' of the last event that is known, or the 'next' of the list before. */
      readonly after?: string | undefined
      /** How many at most. */
      readonly limit?: number | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: EventList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Subscriptions with the evidence of consent, as a file of any length, oldest first. In CSV a cell that a spreadsheet would take for a formula has an apostrophe in front. An import takes it away, but refuses a row if its address has one. An answer that breaks off is incomplete. Needs one of: admin. */
  readonly exportSubscriptions: {
    readonly params: {
      /** Only those of this feed, which must exist. */
      readonly feed?: string | undefined
      /** Only those with this status. */
      readonly status?: 'pending' | 'confirmed' | 'ended' | undefined
      /** What kind of file. With 'excel' or 'separator' it is CSV, also if this is left out. */
      readonly format?: 'ndjson' | 'csv' | undefined
      /** CSV for Excel: with a byte order mark, and with what Excel would change, such as an id, in a formula that gives it. */
      readonly excel?: boolean | undefined
      /** What separates the cells of CSV. Excel expects a semicolon if its computer writes 1,5 as in German, French and Spanish. */
      readonly separator?: 'comma' | 'semicolon' | undefined
    }
    readonly answers: {
      readonly 200: AsyncIterable<ExportedSubscription>
    }
    readonly stream: ExportedSubscription
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Import subscriptions from a file of any length. The answer has a line for each refused row, and the summary as the last line, which names every column that was not used. Who has left by the file, and is known here by files alone, ends; any other that is here keeps its status. What a line reports is already stored. Read the answer while you send: the server stops reading the file while its report is not read. If storage fails on the way, the last line is an error, and the same file may be sent again. Needs one of: admin. */
  readonly importSubscriptions: {
    readonly params: {
      /** Asks those that are new and pending to confirm; otherwise no mail is sent. */
      readonly mail?: 'send' | undefined
      /** Whether only to report what would happen to each row, and change nothing. */
      readonly dry_run?: boolean | undefined
      /** What a field is called in the file, as in 'email:E-Mail,name:Full Name'. */
      readonly map?: string | undefined
      /** What the words mean that the file has for a status, as in 'unsubscribed:ended,active:confirmed'. A row with another word is refused. */
      readonly status?: string | undefined
      /** What subscriptions that are there already get from the file, where it has something: never their status. By default nothing. */
      readonly update?: string | undefined
      /** Columns that decide nothing, or are not to. One that speaks of leaving, and is neither mapped nor ignored, stops the import before anything is stored. Separated by commas, a name that holds a comma in quotes. */
      readonly ignore?: string | undefined
      readonly body: FileBody<ImportRow>
    }
    readonly answers: {
      readonly 200: AsyncIterable<ImportReportLine>
    }
    readonly stream: ImportReportLine
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** The webhooks, oldest first. Needs one of: admin. */
  readonly listWebhooks: {
    readonly params: {
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' of the page before. */
      readonly cursor?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: WebhookList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** One webhook. Needs one of: admin. */
  readonly getWebhook: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: Webhook
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'WebhookNotFound'
  }
  /** Create or replace a webhook. A new one receives the events from then on, and only the answer that creates it contains its secret. One that was disabled is enabled again, and receives the events that have waited. Needs one of: admin. */
  readonly putWebhook: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: WebhookForm
    }
    readonly answers: {
      readonly 201: WebhookWithSecret
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Change some fields of a webhook; what is left out stays as it is, and what is null is as for a new one. Needs one of: admin. */
  readonly patchWebhook: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: WebhookPatch
    }
    readonly answers: {
      readonly 200: Webhook
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'WebhookNotFound'
  }
  /** Delete a webhook and its pending events. Needs one of: admin. */
  readonly deleteWebhook: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'WebhookNotFound'
  }
  /** Make a new secret, which is shown only here. Each old one also signs for a day, the last nine of them. Needs one of: admin. */
  readonly rotateWebhookSecret: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body?: WebhookRotationForm | undefined
    }
    readonly answers: {
      readonly 200: WebhookWithSecret
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'WebhookNotFound'
  }
  /** Send events again, with their ids: those after an event, from a time on, or those given up. Needs one of: admin. */
  readonly redeliverEvents: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
      readonly body: RedeliveryForm
    }
    readonly answers: {
      readonly 200: Redelivery
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
      | 'WebhookNotFound'
  }
  /** The logo of a feed, as it is in its mails and pages. Needs one of: admin, auditor. */
  readonly getFeedLogo: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
    }
    readonly answers: {
      readonly 200: Uint8Array
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'LogoNotFound'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Give a feed a logo: a PNG of at most 2,000 by 2,000 pixels, or an SVG. What does not draw is left out; an SVG with a script, an event handler or a reference to something outside is refused. Needs one of: admin. */
  readonly putFeedLogo: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      readonly body: Picture
    }
    readonly answers: {
      readonly 201: Feed
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedInUse'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Take the logo of a feed away. Needs one of: admin. */
  readonly deleteFeedLogo: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'LogoNotFound'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** A page or a mail of a feed as its readers get it, with links that lead nowhere. Needs one of: admin, auditor. */
  readonly previewFeed: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      /** Which page; or give a mail. */
      readonly page?: 'sign-up' | 'pending' | 'confirm' | 'confirmed' | 'unsubscribe' | 'unsubscribed' | undefined
      /** Which mail; or give a page. */
      readonly mail?: 'confirmation' | 'reminder' | 'already-subscribed' | 'welcome' | undefined
      /** Of its reader; by default that of the feed. */
      readonly language?: string | undefined
      /** Of a mail: whether as the message that goes over the wire, and not as a page. */
      readonly message?: boolean | undefined
    }
    readonly answers: {
      readonly 200: string
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Send such a mail to an address, at once. Its links lead nowhere. Needs one of: admin. */
  readonly sendPreview: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      readonly body: PreviewForm
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Access tokens that were issued here, oldest first, up to 30 days after they expired; never the tokens themselves. Needs one of: admin. */
  readonly listTokens: {
    readonly params: {
      /** Only those of this subject. */
      readonly subject?: string | undefined
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' of the page before. */
      readonly cursor?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: TokenList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Revoke an access token: when the answer comes, every instance refuses it. It may be one that is not listed, such as one of an identity provider, and one that is revoked already. Needs one of: admin. */
  readonly revokeToken: {
    readonly params: {
      /** The id of an access token, its 'jti'. */
      readonly jti: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'TokenNotFound'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Report bounces and complaints of mails that were sent to recipients. What is not in the caller's feeds, is older than 14 days, or was reported already by the same 'provider_id' changes nothing, and the answer is the same. Beyond 100 addresses and 5 % of the recipients in a day, the rest waits for an administrator. Needs one of: admin, sender. */
  readonly recordFeedback: {
    readonly params: {
      readonly body: FeedbackReport
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Feedback that waits for a decision, the oldest first. Needs one of: admin. */
  readonly listFeedback: {
    readonly params: {
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' of the page before. */
      readonly cursor?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: WaitingFeedbackList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Carry out feedback that waits. Ids that were decided on already are skipped. Needs one of: admin. */
  readonly acceptFeedback: {
    readonly params: {
      readonly body: FeedbackDecision
    }
    readonly answers: {
      readonly 200: DecidedFeedback
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Forget feedback that waits. Ids that were decided on already are skipped. Needs one of: admin. */
  readonly dropFeedback: {
    readonly params: {
      readonly body: FeedbackDecision
    }
    readonly answers: {
      readonly 200: DecidedFeedback
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** What Postmark reports. Believed only with the secret that is configured, as the password of basic authentication. Needs no access token. */
  readonly receivePostmarkFeedback: {
    readonly params: {
      readonly body: PostmarkReport
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'SignatureNotValid'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** What SendGrid reports. Believed only with a signature of the key that is configured. Needs no access token. */
  readonly receiveSendgridFeedback: {
    readonly params: {
      readonly body: SendgridReport
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'SignatureNotValid'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** What Amazon SES reports through Amazon SNS. Believed only with a valid signature of Amazon, and from a topic that is configured, whose subscription is confirmed when Amazon asks for it. Needs no access token. */
  readonly receiveSesFeedback: {
    readonly params: {
      readonly body: SnsMessage
    }
    readonly answers: {
      readonly 200: Message
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'SignatureNotValid'
      | 'TooManyRequests'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** Addresses at which mails come back, by hash, in the order in which they first failed. Needs one of: admin, auditor. */
  readonly listUndeliverable: {
    readonly params: {
      /** Only those in this state. */
      readonly state?: 'failing' | 'undeliverable' | undefined
      /** How many at most. */
      readonly limit?: number | undefined
      /** The 'next' of the page before. */
      readonly cursor?: string | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: UndeliverableList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Forget what is known against an address, so that mails go to it again. Needs one of: admin. */
  readonly liftUndeliverable: {
    readonly params: {
      /** The hash in the list, or the address itself. */
      readonly address: string
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
    }
    readonly answers: {
      readonly 204: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UndeliverableNotFound'
  }
  /** The recipients of the feed, as a file of any length, in the order in which they signed up. The first line names an event: later events have the changes that the list may lack. The last line says how many recipients there are. An answer without that line is incomplete. A sender that is bound to other feeds gets the same 404 as for an unknown feed. Needs one of: admin, sender. */
  readonly listRecipients: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
    }
    readonly answers: {
      readonly 200: AsyncIterable<RecipientLine>
    }
    readonly stream: RecipientLine
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Say which of these recipients to write to and which to skip. Ask right before sending. Changes nothing. Needs one of: admin, sender. */
  readonly checkRecipients: {
    readonly params: {
      /** The name of a feed or a webhook. */
      readonly name: string
      readonly body: RecipientsCheck
    }
    readonly answers: {
      readonly 200: CheckedRecipients
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'FeedNotFound'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PayloadTooLarge'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
      | 'UnsupportedMediaType'
  }
  /** How many signed up, confirmed and left, of one feed or of all, and how many subscriptions there are now. The numbers are kept, not counted, and hold no personal data. Needs one of: admin, auditor. */
  readonly getStats: {
    readonly params: {
      /** Only those of this feed, which must exist; by default all feeds, and forms that named none. */
      readonly feed?: string | undefined
      /** The first day, UTC; by default the last 30 days, 12 weeks or 12 months are shown. */
      readonly from?: string | undefined
      /** The last day; by default today. */
      readonly to?: string | undefined
      /** How long a period is; weeks begin on Monday. There are 400 periods at most. */
      readonly by?: 'day' | 'week' | 'month' | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: Stats
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** The audit trail, oldest first unless sorted otherwise. A page may have fewer records than there are, or none: read on while there is a `next`. Needs one of: admin, auditor. */
  readonly listAudit: {
    readonly params: {
      /** The 'next' of the page before. */
      readonly after?: string | undefined
      /** How many at most. */
      readonly limit?: number | undefined
      /** Only records of this action. */
      readonly action?:
        | 'audit.read'
        | 'database.restore'
        | 'event.read'
        | 'deliverability.lift'
        | 'deliverability.read'
        | 'feed.delete'
        | 'feed.preview'
        | 'feed.put'
        | 'feed.read'
        | 'feedback.accept'
        | 'feedback.drop'
        | 'feedback.read'
        | 'feedback.record'
        | 'key.rotate'
        | 'outbox.read'
        | 'outbox.retry'
        | 'recipient.check'
        | 'recipient.read'
        | 'secret.rotate'
        | 'session.begin'
        | 'session.end'
        | 'session.link'
        | 'session.read'
        | 'stats.read'
        | 'subscription.confirm'
        | 'subscription.end'
        | 'subscription.erase'
        | 'subscription.export'
        | 'subscription.explain'
        | 'subscription.import'
        | 'subscription.move'
        | 'subscription.read'
        | 'subscription.request'
        | 'suppression.check'
        | 'suppression.import'
        | 'suppression.lift'
        | 'suppression.read'
        | 'token.issue'
        | 'token.read'
        | 'token.revoke'
        | 'user.delete'
        | 'user.erase'
        | 'user.export'
        | 'user.import'
        | 'user.put'
        | 'user.read'
        | 'user.record'
        | 'user.restore'
        | 'user.resume'
        | 'user.suspend'
        | 'webhook.delete'
        | 'webhook.disable'
        | 'webhook.put'
        | 'webhook.read'
        | 'webhook.redeliver'
        | 'webhook.rotate'
        | 'webhook.test'
        | undefined
      /** Only records about this user, feed or other thing. */
      readonly target?: string | undefined
      /** Only what was done at this time (RFC 3339), or on this day, or later. */
      readonly since?: string | undefined
      /** Which come first. */
      readonly sort?: 'oldest' | 'newest' | undefined
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: AuditList
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InsufficientPermissions'
      | 'InternalError'
      | 'InvalidInput'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unauthenticated'
      | 'Unavailable'
  }
  /** Whether the process answers. Needs no access token. */
  readonly getLiveness: {
    readonly params: Readonly<Record<never, never>>
    readonly answers: {
      readonly 200: Liveness
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unavailable'
  }
  /** Whether this instance does its work. Needs no access token. */
  readonly getReadiness: {
    readonly params: Readonly<Record<never, never>>
    readonly answers: {
      readonly 200: Readiness
      readonly 503: Readiness
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'RequestTimeout'
      | 'Unavailable'
  }
  /** The public keys that verify this service's own tokens. Needs no access token. */
  readonly getKeys: {
    readonly params: {
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: KeySet
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unavailable'
  }
  /** This document. Needs no access token. */
  readonly getOpenApi: {
    readonly params: {
      /** Only if its ETag is one of these; * for any that exists. */
      readonly ifMatch?: string | undefined
      /** Only if its ETag is none of these; * for one that does not exist. */
      readonly ifNoneMatch?: string | undefined
      /** Only if it was changed after this HTTP date. */
      readonly ifModifiedSince?: string | undefined
      /** Only if it was not changed after this HTTP date. */
      readonly ifUnmodifiedSince?: string | undefined
    }
    readonly answers: {
      readonly 200: OpenApi
      readonly 304: undefined
    }
    readonly errors:
      | 'ExpectationFailed'
      | 'HeadersTooLarge'
      | 'InternalError'
      | 'MalformedRequest'
      | 'PreconditionFailed'
      | 'RequestTimeout'
      | 'Unavailable'
  }
}
