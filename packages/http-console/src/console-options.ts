import type { IncomingHttpHeaders } from 'node:http'
import type {
  Caller,
  Feed,
  FeedLogo,
  FieldNames,
  PreviewedMail,
  PreviewedPage,
  ShownMail,
  UseCases,
} from '@rollcall/core'
import type { AnySummary, Refusal } from './imports.ts'
import type { LoginRefusal } from './login/login-refusal.ts'
import type { ProviderLogin } from './login/provider-login.ts'
import type { Texts } from './texts.ts'

/** The log of the console. Fields never hold a body, a secret, an address, a name or a query. */
export interface ConsoleLog {
  debug(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** In place of the one that is stored; null for none. */
type ShownLogo = FeedLogo | null | undefined

/** What a reader of a feed gets to see; made by what makes the real ones. */
export interface Previews {
  readonly mails: {
    readonly languages: readonly string[]
    show(feed: Feed, language: string, kind: PreviewedMail, logo?: ShownLogo): Promise<Omit<ShownMail, 'message'>>
  }
  /** Of its pages: whole documents. */
  readonly forms: {
    readonly languages: readonly string[]
    show(feed: Feed, language: string, page: PreviewedPage, logo?: ShownLogo): Promise<string>
  }
  /** Its sign-up form as a part of a page of another site. */
  readonly embedded?: (feed: Feed) => string
}

/** Surrounds each request, as with a span of a trace. */
export interface ConsoleTracing {
  /** Undefined for a request that is not recorded; what it gives calls `answer` at once, and resolves after it. */
  begin(request: {
    readonly method?: string | undefined
    readonly headers: IncomingHttpHeaders
  }):
    | ((answer: () => Promise<{ readonly route: string | undefined; readonly status: number }>) => Promise<void>)
    | undefined
}

/** What is told of the file of another service. */
export interface ForeignOrder {
  readonly service: string
  /** Of the file: some services say in it whom it holds. */
  readonly fileName: string
  readonly feed: string | undefined
  readonly consent: string | undefined
  readonly confirmedAt: string | undefined
  readonly names: FieldNames
  readonly ignored: readonly string[]
}

/** Files of other services, as they are. */
interface ForeignFiles {
  /** Their names for people, by those that an order has. */
  readonly services: Readonly<Record<string, string>>
  /** @throws {InvalidInput} what is told of it does not go with it */
  importFrom(
    order: ForeignOrder,
    body: AsyncIterable<Uint8Array>,
    how: {
      readonly dryRun: boolean
      readonly mail: string | undefined
      readonly update: readonly string[] | undefined
      readonly caller: Caller
    },
  ): Promise<AsyncIterable<Refusal | AnySummary>>
}

export interface ConsoleOptions {
  readonly useCases: UseCases
  /** Where browsers find it: an origin, without a slash at the end. */
  readonly url: string
  /** The public URL of the service, for links to its own pages. */
  readonly publicUrl: string
  /** Milliseconds for which a deletion can be undone. */
  readonly deleteGrace: number
  /** Of the deployer, for the public pages and for these; empty if there is none. */
  readonly theme: string
  readonly texts: Texts
  readonly log: ConsoleLog
  /** If an identity provider is configured. */
  readonly provider?: ProviderLogin | undefined
  readonly previews?: Previews | undefined
  readonly foreign?: ForeignFiles | undefined
  readonly tracing?: ConsoleTracing | undefined
  /** Counts logins that were refused. */
  readonly onLoginRefused?: ((reason: LoginRefusal) => void) | undefined
  /** Milliseconds since 1970; by default the system clock. */
  readonly now?: (() => number) | undefined
}
