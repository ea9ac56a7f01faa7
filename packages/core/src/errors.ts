/** What kind of outcome it is: a driving adapter maps each of these. */
export type OutcomeKind =
  | 'changed'
  | 'conflict'
  | 'forbidden'
  | 'gone'
  | 'invalid'
  | 'malformed'
  | 'missing'
  /** Not as the service is set up. */
  | 'off'
  | 'unauthenticated'
  | 'unavailable'

export const OUTCOMES = {
  AddressSuppressed: 'conflict',
  EmailTaken: 'conflict',
  FeedInUse: 'conflict',
  FeedNotFound: 'missing',
  FieldInUse: 'conflict',
  InsufficientPermissions: 'forbidden',
  InvalidInput: 'invalid',
  KeysNotRotatable: 'off',
  LastAdministrator: 'conflict',
  LinkNotValid: 'missing',
  LogoNotFound: 'missing',
  MalformedRequest: 'malformed',
  OwnTokensOff: 'off',
  PreconditionFailed: 'changed',
  ReceiptNotFound: 'missing',
  SignatureNotValid: 'forbidden',
  SubscriptionEnded: 'conflict',
  SubscriptionNotFound: 'missing',
  SuppressionNotFound: 'missing',
  SuspensionNotKept: 'conflict',
  TokenNotFound: 'missing',
  Unauthenticated: 'unauthenticated',
  Unavailable: 'unavailable',
  UndeliverableNotFound: 'missing',
  UserDeleted: 'gone',
  UserNameTaken: 'conflict',
  UserNotFound: 'missing',
  UserSuspended: 'conflict',
  WebhookNotFound: 'missing',
} as const satisfies Readonly<Record<string, OutcomeKind>>

export type DomainErrorName = keyof typeof OUTCOMES

export interface FieldProblem {
  /** By its name over HTTP, which may differ from that of the command. */
  readonly field: string
  readonly message: string
}

/**
 * An outcome the domain foresees; `message` is for a person and says what to do.
 * Anything else that is thrown is a defect or an outage.
 */
export abstract class DomainError extends Error {
  abstract override readonly name: DomainErrorName
}

/** A class of errors that all have the same name and message. */
const errorSaying = <Name extends DomainErrorName>(
  errorName: Name,
  message: string,
): (new () => DomainError & { readonly name: Name }) =>
  class extends DomainError {
    override readonly name = errorName

    constructor() {
      super(message)
    }
  }

/** No token, or one that does not verify, or whose subject is deleted. */
export class Unauthenticated extends DomainError {
  override readonly name = 'Unauthenticated'
  /** True when a token came but is not valid (RFC 6750 section 3.1, `invalid_token`). */
  readonly tokenRefused: boolean
  /** The check that the token failed, such as `aud`: for the operator, never for the client, and no value of the token. */
  readonly failedCheck: string | undefined

  constructor(
    message: string,
    { tokenRefused, failedCheck, cause }: { tokenRefused: boolean; failedCheck?: string; cause?: unknown },
  ) {
    super(message, { cause })
    this.tokenRefused = tokenRefused
    this.failedCheck = failedCheck
  }
}

/** Authenticated, but without a role that the permission asks for. */
export class InsufficientPermissions extends DomainError {
  override readonly name = 'InsufficientPermissions'
}

/** Well-formed, but some fields are missing, too long, or not valid. */
export class InvalidInput extends DomainError {
  override readonly name = 'InvalidInput'
  readonly details: readonly FieldProblem[]

  constructor(details: readonly FieldProblem[]) {
    super(`Correct ${details.map(({ field }) => `'${field}'`).join(', ')} and send it again.`)
    this.details = details
  }
}

/** The request cannot be read, such as a cursor that did not come from a list. */
export class MalformedRequest extends DomainError {
  override readonly name = 'MalformedRequest'
}

/** The caller's condition on the present state does not hold (RFC 9110 section 13). */
export class PreconditionFailed extends errorSaying(
  'PreconditionFailed',
  'It has changed meanwhile, or is not in the state you expect. Fetch it again, then decide.',
) {}

/** There never was such a user, or the caller may not know. */
export class UserNotFound extends errorSaying('UserNotFound', 'There is no such user. Check the id.') {}

/** The id belongs to a user who was deleted, be it within its grace, and goes to no other. */
export class UserDeleted extends errorSaying(
  'UserDeleted',
  'This user was deleted, and its id goes to no other user.',
) {}

/** The user exists, and none of its tokens is taken until it is resumed. */
export class UserSuspended extends errorSaying(
  'UserSuspended',
  'This user is suspended, and its tokens are refused. Resume the user first, or choose another.',
) {}

export class ReceiptNotFound extends errorSaying('ReceiptNotFound', 'No user of this id was deleted. Check the id.') {}

/** The change would leave no stored user with the role `admin`. */
export class LastAdministrator extends errorSaying(
  'LastAdministrator',
  "This user is the last administrator. Give another user the 'admin' role first.",
) {}

/** A host keeps the users, and not since when they are suspended, or from when on their tokens are good. */
export class SuspensionNotKept extends errorSaying(
  'SuspensionNotKept',
  'The application that keeps the users of this service does not keep what this needs: since when a user is suspended, and from when on its tokens are good. Do it there.',
) {}

export class EmailTaken extends DomainError {
  override readonly name = 'EmailTaken'

  constructor({
    message = 'Another user has this e-mail address. Choose another, or change that user first.',
    ...options
  }: ErrorOptions & { readonly message?: string } = {}) {
    super(message, options)
  }
}

export class UserNameTaken extends DomainError {
  override readonly name = 'UserNameTaken'

  constructor({
    message = 'Another user has this userName. Match the two in the directory, or choose another.',
    ...options
  }: ErrorOptions & { readonly message?: string } = {}) {
    super(message, options)
  }
}

export const LogoNotFound = errorSaying('LogoNotFound', 'This feed has no logo.')
export class FeedNotFound extends DomainError {
  override readonly name = 'FeedNotFound'

  /** `feed` if several were named. */
  constructor(feed?: string) {
    super(`There is no ${feed === undefined ? 'such feed' : `feed '${feed}'`}. Check the name, or create it.`)
  }
}

export class SubscriptionNotFound extends errorSaying(
  'SubscriptionNotFound',
  'There is no such subscription. Check the id.',
) {}

export class SubscriptionEnded extends errorSaying(
  'SubscriptionEnded',
  'This subscription has ended. Its owner must subscribe again and confirm; this cannot be done on their behalf.',
) {}

export class AddressSuppressed extends errorSaying(
  'AddressSuppressed',
  "The owner of this address refused, or said 'never again', or mail to it is blocked. Lift that first, if the owner asks for it.",
) {}

export class SuppressionNotFound extends errorSaying(
  'SuppressionNotFound',
  'This address is not suppressed. Check it, or take it from the list of suppressions.',
) {}

export class UndeliverableNotFound extends errorSaying(
  'UndeliverableNotFound',
  'Nothing is known against this address. Check it, or take it from the list of undeliverable addresses.',
) {}

export class WebhookNotFound extends errorSaying(
  'WebhookNotFound',
  'There is no such webhook. Check the name, or create it.',
) {}

/** A report of a mail provider that is not signed by it, or not from where it is expected; the log says which. */
export class SignatureNotValid extends errorSaying(
  'SignatureNotValid',
  'This message is not signed by the mail provider, or not for this service. Check the topic and the endpoint.',
) {}

export class TokenNotFound extends errorSaying('TokenNotFound', 'No token of this id is listed. Check the id.') {}

/** A link that has no valid signature, that has expired, or that a later one has superseded. */
export class LinkNotValid extends errorSaying(
  'LinkNotValid',
  'This link is not valid, or no longer. Subscribe again, or ask for a new one.',
) {}

export class OwnTokensOff extends errorSaying(
  'OwnTokensOff',
  'Own tokens are off because an identity provider is configured. Get the token from it.',
) {}

/** The signing keys cannot be changed from here; `message` says why, and what to do instead. */
export class KeysNotRotatable extends DomainError {
  override readonly name = 'KeysNotRotatable'
}

/** Storage is down or busy for too long, or cannot do this yet. Nothing was changed, unless it is `unsure`. */
export class Unavailable extends DomainError {
  override readonly name = 'Unavailable'
  /** Whether the change may have been stored all the same: the commit was sent, and its answer was lost. */
  readonly unsure: boolean
  /** Milliseconds after which it may be different; undefined if that is not known. */
  readonly retryAfter: number | undefined

  constructor(
    options: ErrorOptions & {
      readonly unsure?: boolean
      readonly retryAfter?: number
      /** What a person can do, if waiting is not enough. */
      readonly message?: string
    } = {},
  ) {
    const { unsure = false, retryAfter, message = unsure ? PERHAPS_DONE : NOTHING_CHANGED } = options
    super(message, options)
    this.unsure = unsure
    this.retryAfter = retryAfter
  }
}

const NOTHING_CHANGED = 'The service cannot do this right now. Nothing was changed; try again in a few seconds.'
const PERHAPS_DONE =
  'The service lost its storage just then: this may have been done, or not. Try again in a few seconds, which does no harm.'
