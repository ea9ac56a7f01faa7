import type {
  Caller,
  ConsentRecord,
  DeleteUserCommand,
  DescribedWebhook,
  Page,
  PlannedDeletion,
  Precondition,
  PublishedDeliverability,
  PublishedEvent,
  PublishedExplanation,
  PublishedFeedback,
  PublishedReceipt,
  PublishedSubscription,
  PublishedUser,
  PublishedUserExport,
  PublishedUserLists,
  UseCases,
} from '@rollcall/core'

/** A deletion as it would come out. */
export type CliPlannedDeletion = Omit<PlannedDeletion, 'user'> & { readonly user: PublishedUser | undefined }

export interface OnBehalf {
  readonly subscription: PublishedSubscription
  readonly already: boolean
}

/** Results that hold what is published: an HTTP server does not give more, and secrets do not leave the service. */
interface PublishedResults {
  readonly confirmOnBehalf: OnBehalf
  /** How many subscriptions were erased is not known everywhere. */
  readonly deleteFeed: { readonly name: string; readonly subscriptionsErased: number | undefined }
  readonly endOnBehalf: OnBehalf
  readonly explainSubscriptions: PublishedExplanation
  readonly exportUser: PublishedUserExport & PublishedUserLists
  readonly getConsent: { readonly subscription: PublishedSubscription; readonly consents: readonly ConsentRecord[] }
  readonly getErasureReceipt: PublishedReceipt
  readonly getSubscription: PublishedSubscription
  readonly getUser: PublishedUser
  readonly getWebhook: DescribedWebhook
  /** The hash of the address; or the address as it was given, where the hash is not known. */
  readonly liftSuppression: string
  /** Likewise. */
  readonly liftUndeliverable: string
  readonly listEvents: Page<PublishedEvent>
  readonly listFeedback: Page<PublishedFeedback>
  readonly listSubscriptions: Page<PublishedSubscription>
  readonly listUndeliverable: Page<PublishedDeliverability>
  readonly listUsers: Page<PublishedUser>
  readonly listWebhooks: Page<DescribedWebhook>
  readonly patchUser: PublishedUser
  readonly patchWebhook: DescribedWebhook
  readonly planUserDeletion: CliPlannedDeletion
  readonly putUser: { readonly user: PublishedUser; readonly created: boolean }
  /** The secret of a new one; undefined where the answer that had it was lost. */
  readonly putWebhook: {
    readonly webhook: DescribedWebhook
    readonly created: boolean
    readonly secret: string | undefined
  }
  readonly restoreUser: PublishedUser
  readonly resumeUser: PublishedUser
  readonly rotateWebhookSecret: { readonly webhook: DescribedWebhook; readonly secret: string }
  readonly suspendUser: PublishedUser
}

export type UseCaseName =
  | keyof PublishedResults
  | 'decideFeedback'
  | 'checkRecipients'
  | 'checkSuppressions'
  | 'deleteFeedLogo'
  | 'deleteUser'
  | 'deleteWebhook'
  | 'eraseSubscription'
  | 'endConsoleSession'
  | 'exportSubscriptions'
  | 'getFeed'
  | 'getFeedLogo'
  | 'importSubscriptions'
  | 'importSuppressions'
  | 'importUsers'
  | 'issueLoginLink'
  | 'issueToken'
  | 'listConsoleSessions'
  | 'listAudit'
  | 'listFeeds'
  | 'listOutbox'
  | 'listRequests'
  | 'listRecipients'
  | 'listSuppressions'
  | 'listTokens'
  | 'listUndeliveredEvents'
  | 'patchFeed'
  | 'previewMail'
  | 'putFeed'
  | 'putFeedLogo'
  | 'recordReport'
  | 'redeliverEvents'
  | 'retryEvent'
  | 'retryOutbox'
  | 'retryRequest'
  | 'revokeToken'
  | 'rotateKeys'
  | 'rotateSecret'
  | 'sendPreview'
  | 'showStats'
  | 'verifyAudit'

export type CommandOf<Name extends UseCaseName> = Name extends 'deleteUser'
  ? Omit<DeleteUserCommand, 'precondition'> & { readonly precondition?: Precondition<PublishedUser> | undefined }
  : Parameters<UseCases[Name]['execute']>[0]

export type ResultOf<Name extends UseCaseName> = Name extends keyof PublishedResults
  ? PublishedResults[Name]
  : Awaited<ReturnType<UseCases[Name]['execute']>>

/** The use cases that the commands call, wherever they are carried out. */
export type CliUseCases = {
  readonly [Name in UseCaseName]: {
    execute(command: CommandOf<Name>, caller: Caller): Promise<ResultOf<Name>>
  }
}

export interface OpenUseCases {
  readonly useCases: CliUseCases
  /** Called once the command is done with them, whatever came of it. */
  close(): Promise<void>
}
