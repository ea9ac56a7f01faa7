import type { Caller, ConsoleSession, Permission } from '@rollcall/core'
import { type Html, type HtmlValue, html } from '@rollcall/platform-node'
import type { ConsoleOptions } from './console-options.ts'
import type { Form } from './form-body.ts'
import type { Imports } from './imports.ts'
import type { Verifications } from './verifications.ts'

/** One request of a browser that is logged in. */
export interface Visit {
  readonly options: ConsoleOptions
  readonly caller: Caller
  readonly permitted: ReadonlySet<Permission>
  readonly session: ConsoleSession
  /** Whether the login is young enough for what does the most harm. */
  readonly isFresh: boolean
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly form: Form
  readonly verifications: Verifications
  readonly imports: Imports
}

export interface Page {
  /** What a browser keeps of it: it names a thing by its id, and never a person. */
  readonly title: string
  /** Whose page it is, if the title does not say it as people do. */
  readonly heading?: HtmlValue
  readonly badges?: HtmlValue
  readonly content: Html
  readonly status?: number | undefined
  /** Other origins that a form of the page leads to. */
  readonly formTargets?: readonly string[] | undefined
  /** Whether other pages of the console are shown in it. */
  readonly frames?: boolean
}

export type Answer =
  | { readonly page: Page; readonly cookies?: readonly string[] | undefined }
  | { readonly to: string; readonly cookies?: readonly string[] | undefined }
  | {
      readonly file: AsyncIterable<string> | string
      readonly type: string
      readonly name?: string | undefined
      /** Replaces the policy of pages: what is shown as it is may not run. */
      readonly policy?: string | undefined
      /** Whether a page of the console may have it in a frame. */
      readonly framed?: boolean
    }

export type Handler = (visit: Visit) => Promise<Answer>

export const may = ({ permitted }: Visit, permission: Permission): boolean => permitted.has(permission)

/** A page that only leads to a deed is for those who may do it. */
export const only =
  (permission: Permission, handler: Handler): Handler =>
  async (visit) => {
    const refusal = await visit.options.useCases.access.refusalOf(visit.caller, permission)
    if (refusal !== undefined) throw refusal
    return await handler(visit)
  }

/** What does the most harm in the wrong hands: who finds an open browser cannot do it. */
export const freshly =
  (handler: Handler): Handler =>
  async (visit) =>
    visit.isFresh ? await handler(visit) : askToLogIn(visit)

export const askToLogIn = ({ options, path, query }: Visit): Answer => {
  const { fresh } = options.texts
  const to = query.size === 0 ? path : `${path}?${query}`
  const content = html`<p>${fresh.about}</p><p><a class="button" href="/login?${new URLSearchParams({ again: '', to }).toString()}">${fresh.login}</a></p>`
  return { page: { title: fresh.title, content, status: 403 } }
}
