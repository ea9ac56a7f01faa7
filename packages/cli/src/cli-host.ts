import type {
  AuditRecord,
  Caller,
  ConsentRecord,
  DeleteFeedCommand,
  DeleteUserCommand,
  DeletionReport,
  DescribedWebhook,
  LiftSuppressionCommand,
  Page,
  PageRequest,
  PlannedDeletion,
  Precondition,
  PublishedEvent,
  PublishedReceipt,
  PublishedSubscription,
  PublishedUser,
  PutWebhookCommand,
  RotateWebhookSecretCommand,
  UseCases,
} from '@rollcall/core'
import type { StorageHost } from './storage-host.ts'

type UseCaseName =
  | 'deleteWebhook'
  | 'eraseSubscription'
  | 'exportSubscriptions'
  | 'getFeed'
  | 'importSubscriptions'
  | 'issueToken'
  | 'listAudit'
  | 'listFeeds'
  | 'listOutbox'
  | 'listSuppressions'
  | 'listUndeliveredEvents'
  | 'putFeed'
  | 'redeliverEvents'
  | 'retryEvent'
  | 'retryOutbox'
  | 'rotateKeys'
  | 'verifyAudit'

type CommandOf<Name extends keyof UseCases> = UseCases[Name] extends {
  execute(command: infer Command, caller: Caller): unknown
}
  ? Command
  : never

interface Execute<Command, Result> {
  execute(command: Command, caller: Caller): Promise<Result>
}

/** A deletion as it would come out. */
export type CliPlannedDeletion = Omit<PlannedDeletion, 'user'> & { readonly user: PublishedUser | undefined }

type OnBehalf = Execute<
  CommandOf<'confirmOnBehalf'>,
  { readonly subscription: PublishedSubscription; readonly already: boolean }
>

/**
 * The use cases that the commands call, wherever they are carried out. Their results are what is published: an HTTP
 * server does not give more.
 */
export type CliUseCases = { readonly [Name in UseCaseName]: Pick<UseCases[Name], 'execute'> } & {
  readonly confirmOnBehalf: OnBehalf
  readonly endOnBehalf: OnBehalf
  readonly deleteUser: Execute<
    Omit<DeleteUserCommand, 'precondition'> & { readonly precondition?: Precondition<PublishedUser> | undefined },
    DeletionReport
  >
  readonly exportUser: Execute<
    CommandOf<'exportUser'>,
    {
      readonly user: PublishedUser
      readonly subscriptions: readonly PublishedSubscription[]
      readonly audit: AsyncIterable<AuditRecord>
    }
  >
  readonly getErasureReceipt: Execute<CommandOf<'getErasureReceipt'>, PublishedReceipt>
  readonly getConsent: Execute<
    CommandOf<'getConsent'>,
    { readonly subscription: PublishedSubscription; readonly consents: readonly ConsentRecord[] }
  >
  readonly getSubscription: Execute<CommandOf<'getSubscription'>, PublishedSubscription>
  readonly getUser: Execute<CommandOf<'getUser'>, PublishedUser>
  readonly listEvents: Execute<CommandOf<'listEvents'>, Page<PublishedEvent>>
  readonly listSubscriptions: Execute<CommandOf<'listSubscriptions'>, Page<PublishedSubscription>>
  readonly listUsers: Execute<CommandOf<'listUsers'>, Page<PublishedUser>>
  readonly planUserDeletion: Execute<CommandOf<'planUserDeletion'>, CliPlannedDeletion>
  readonly putUser: Execute<CommandOf<'putUser'>, { readonly user: PublishedUser; readonly created: boolean }>
  readonly restoreUser: Execute<CommandOf<'restoreUser'>, PublishedUser>
  readonly deleteFeed: {
    /** How many subscriptions were erased is not known everywhere. */
    execute(
      command: DeleteFeedCommand,
      caller: Caller,
    ): Promise<{ readonly name: string; readonly subscriptionsErased: number | undefined }>
  }
  // Secrets do not leave the service.
  readonly getWebhook: { execute(command: { readonly name: string }, caller: Caller): Promise<DescribedWebhook> }
  readonly listWebhooks: { execute(request: PageRequest, caller: Caller): Promise<Page<DescribedWebhook>> }
  readonly putWebhook: {
    /** The secret of a new one; undefined where the answer that had it was lost. */
    execute(
      command: PutWebhookCommand,
      caller: Caller,
    ): Promise<{ readonly webhook: DescribedWebhook; readonly created: boolean; readonly secret: string | undefined }>
  }
  readonly rotateWebhookSecret: {
    execute(
      command: RotateWebhookSecretCommand,
      caller: Caller,
    ): Promise<{ readonly webhook: DescribedWebhook; readonly secret: string }>
  }
  readonly liftSuppression: {
    /** The hash of the address; or the address as it was given, where the hash is not known. */
    execute(command: LiftSuppressionCommand, caller: Caller): Promise<string>
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

/**
 * What the program around the command line provides. What a person can fix is thrown as a `CliError`;
 * everything is opened only when a command needs it.
 */
export interface CliHost extends StorageHost {
  readonly version: string
  /** Who runs the command. */
  operator(): Caller
  /** Whether the service itself keeps this file, by whatever name it goes: nothing may be written in its place. */
  keeps(file: string): Promise<boolean>
  /** @throws {CliError} the configuration or the storage is not usable */
  useCases(): Promise<OpenUseCases>
  /**
   * Looks at everything that a service needs, and changes nothing.
   * @param options `sendTo`: sends a test mail there
   * @throws {CliError} the configuration cannot be used; what is wrong with it was reported before
   */
  diagnose(options: { readonly sendTo: string | undefined }): AsyncIterable<Diagnosis>
  /** Serves until the signal; resolves with the exit code. */
  serve(options: ServeOptions, signal: AbortSignal): Promise<number>
  /** Brings the schema up to date; resolves with the names of the migrations it applied, in order. */
  migrate(): Promise<readonly string[]>
  /** The names of the migrations that are missing, in order. Changes nothing. */
  pendingMigrations(): Promise<readonly string[]>
}
