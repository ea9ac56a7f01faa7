import type { Readable, Writable } from 'node:stream'
import type {
  AuditRecord,
  Caller,
  ConsentRecord,
  DeleteUserCommand,
  DescribedWebhook,
  Feed,
  Instant,
  ListedToken,
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
  RecordFormats,
  UseCases,
} from '@rollcall/core/all'
import type { RemoteDefaults } from './remote/remote-options.ts'
import type { StorageHost } from './storage-host.ts'

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
  readonly exportUser: {
    readonly user: PublishedUser
    readonly subscriptions: readonly PublishedSubscription[]
    readonly tokens: AsyncIterable<ListedToken>
    readonly audit: AsyncIterable<AuditRecord>
  }
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
  | 'deleteUser'
  | 'deleteWebhook'
  | 'eraseSubscription'
  | 'endConsoleSession'
  | 'exportSubscriptions'
  | 'getFeed'
  | 'importSubscriptions'
  | 'importSuppressions'
  | 'importUsers'
  | 'issueLoginLink'
  | 'issueToken'
  | 'listConsoleSessions'
  | 'listAudit'
  | 'listFeeds'
  | 'listOutbox'
  | 'listRecipients'
  | 'listSuppressions'
  | 'listTokens'
  | 'listUndeliveredEvents'
  | 'patchFeed'
  | 'putFeed'
  | 'recordReport'
  | 'redeliverEvents'
  | 'retryEvent'
  | 'retryOutbox'
  | 'revokeToken'
  | 'rotateKeys'
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

export interface ServeOptions {
  /** Instead of the configured one. */
  readonly port: number | undefined
  /** Show the sign-up page in a browser. */
  readonly open: boolean
  /** Machines read standard output. */
  readonly json: boolean
}

export interface DiagnosisOptions {
  readonly sendTo: string | undefined
  readonly token: string | undefined
}

/** What one look at the service found. */
export interface Diagnosis {
  /** What was looked at. */
  readonly check: string
  /** `warning`: it works, but not as it should in production. */
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  /** What to do about it; where all is well, what is good to know. */
  readonly remedy: string | undefined
}

export interface EmbeddingOptions {
  /** Of its texts; by default that of the feed. */
  readonly language?: string | undefined
  /** One of the return URLs of the feed. */
  readonly returnTo?: string | undefined
  readonly style: boolean
}

/** A mail that was written to a file instead of being sent, decoded. */
export interface WrittenMail {
  readonly id: string
  readonly file: string
  readonly at: Instant
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** `name` says what a link of the service itself is for, such as `confirm`. */
  readonly links: readonly { readonly name: string | undefined; readonly url: string }[]
}

export interface MailFiles {
  /** Where they are. */
  readonly folder: string
  /** Of all files with the name of a mail, oldest first. */
  ids(): Promise<readonly string[]>
  /**
   * Undefined if it is not, or no longer, there.
   * @throws {OperatorError} `NotAMail`: the file is something else; or it cannot be read
   */
  find(id: string): Promise<WrittenMail | undefined>
}

/**
 * What the program around the command line provides. What a person can fix is thrown as a `CliError`;
 * everything is opened only when a command needs it.
 */
export interface CliHost extends StorageHost {
  readonly version: string
  /** Who runs the command. */
  operator(): Caller
  /** Where commands are carried out that do not say. */
  remoteDefaults(): RemoteDefaults
  /**
   * Where browsers find the console.
   * @throws {CliError} there is none
   */
  consoleUrl(): string
  /** Whether the service itself keeps this file, by whatever name it goes: nothing may be written in its place. */
  keeps(file: string): Promise<boolean>
  /** How files of records are read. */
  recordFormats(): Promise<RecordFormats>
  /** @throws {CliError} the configuration or the storage is not usable */
  useCases(): Promise<OpenUseCases>
  /**
   * Looks at everything that a service needs, and changes nothing.
   * @param options `sendTo`: sends a test mail there; `token`: explains this access token, and shows none of it
   * @throws {CliError} the configuration cannot be used; what is wrong with it was reported before
   */
  diagnose(options: DiagnosisOptions): AsyncIterable<Diagnosis>
  /**
   * The sign-up form of a feed, as markup for a page of another site.
   * @throws {CliError} the configuration is not usable, or there are no texts in the language
   */
  embeddedForm(feed: Feed, options: EmbeddingOptions): Promise<string>
  /**
   * The mails that are files.
   * @throws {CliError} mails go to a relay instead
   */
  mailFiles(): Promise<MailFiles>
  /** Serves until the signal; resolves with the exit code. */
  serve(options: ServeOptions, signal: AbortSignal): Promise<number>
  /** Brings the schema up to date; resolves with the names of the migrations it applied, in order. */
  migrate(): Promise<readonly string[]>
  /** The names of the migrations that are missing, in order. Changes nothing. */
  pendingMigrations(): Promise<readonly string[]>
}

/** A stream that may lead to a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** All that the command line sees of the process it runs in. */
export interface CliIo {
  readonly stdin: Readable
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** The person wants no colour, terminal or not. */
  readonly noColor: boolean
  /** Standard input and standard error are terminals: a person can be asked. */
  readonly interactive: boolean
  /** Aborted by the first Ctrl-C: finish what is in flight, take nothing new. */
  readonly signal: AbortSignal
}
