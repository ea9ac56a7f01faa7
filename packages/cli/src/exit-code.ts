import type { DomainErrorName } from '@rollcall/core'

export const ExitCode = {
  done: 0,
  unexpected: 1,
  usage: 2,
  /** Refused, not found, or a check that failed; in bulk: some were. */
  refused: 3,
  /** The configuration or the storage. */
  unusable: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export const exitCodeOf = {
  AddressSuppressed: ExitCode.refused,
  EmailTaken: ExitCode.refused,
  FeedInUse: ExitCode.refused,
  FeedNotFound: ExitCode.refused,
  InsufficientPermissions: ExitCode.refused,
  InvalidInput: ExitCode.usage,
  KeysNotRotatable: ExitCode.unusable,
  LastAdministrator: ExitCode.refused,
  LinkNotValid: ExitCode.refused,
  MalformedRequest: ExitCode.usage,
  OwnTokensOff: ExitCode.unusable,
  PreconditionFailed: ExitCode.refused,
  ReceiptNotFound: ExitCode.refused,
  SubscriptionEnded: ExitCode.refused,
  SubscriptionNotFound: ExitCode.refused,
  SuppressionNotFound: ExitCode.refused,
  Unauthenticated: ExitCode.refused,
  Unavailable: ExitCode.unusable,
  UserDeleted: ExitCode.refused,
  UserNotFound: ExitCode.refused,
  WebhookNotFound: ExitCode.refused,
} as const satisfies Record<DomainErrorName, ExitCode>
