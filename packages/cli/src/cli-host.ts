import type { Readable, Writable } from 'node:stream'
import type { ClientOptions } from '@rollcall/client'
import type { Caller, Feed, Instant, UseCases } from '@rollcall/core'
import type { Situation } from './next-steps.ts'
import type { ServerDefaults } from './service/server-options.ts'
import type { StorageHost } from './storage-host.ts'

/** What does not go over HTTP. */
export type DirectUseCases = Pick<
  UseCases,
  | 'endConsoleSession'
  | 'getFeed'
  | 'issueLoginLink'
  | 'issueToken'
  | 'listConsoleSessions'
  | 'listOutbox'
  | 'listRequests'
  | 'listUndeliveredEvents'
  | 'recordReport'
  | 'retryEvent'
  | 'retryOutbox'
  | 'retryRequest'
  | 'rotateKeys'
  | 'rotateSecret'
  | 'verifyAudit'
>

/** The service of this machine, opened for one command. */
export interface OpenService {
  /** Its HTTP interface, in this process: the operator asks, without a token. */
  readonly fetch: NonNullable<ClientOptions['fetch']>
  readonly useCases: DirectUseCases
  /** Called once the command is done with it, whatever came of it. */
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

export interface Diagnosis {
  readonly check: string
  /** `warning`: it works, but not as it should in production. */
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  /** What to do about it; if all is well, what is good to know. */
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
  /** What of a service there is in this folder, for who does not know what to do next. */
  situation(): Promise<Situation>
  operator(): Caller
  /** Where commands are carried out that do not say. */
  remoteDefaults(): ServerDefaults
  /**
   * Where browsers find the console.
   * @throws {CliError} there is none
   */
  consoleUrl(): string
  /** Whether the service itself keeps this file, by whatever name it goes: nothing may be written in its place. */
  keeps(file: string): Promise<boolean>
  /** @throws {CliError} the configuration or the storage is not usable */
  open(): Promise<OpenService>
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
  /**
   * Brings the schema up to date; resolves with the names of the migrations it applied, in order. As long as others are in
   * its way it waits until the signal, and says by `onWait` for what; and what lets nothing else run, before it begins.
   */
  migrate(patience: { onWait(text: string): void; signal: AbortSignal }): Promise<readonly string[]>
  /** The names of the migrations that are missing, in order. Changes nothing. */
  pendingMigrations(): Promise<readonly string[]>
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** All that the command line sees of the process it runs in. */
export interface CliIo {
  readonly stdin: Readable
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** The person wants no colour, terminal or not. */
  readonly noColor: boolean
  /** The terminal shows escape sequences instead of acting on them (`TERM=dumb`). */
  readonly dumb?: boolean
  /** Standard input and standard error are terminals: a person can be asked. */
  readonly interactive: boolean
  /** Aborted by the first Ctrl-C: finish what is in flight, take nothing new. */
  readonly signal: AbortSignal
}
