import type { Caller, ConsoleSession, Permission } from '@rollcall/core'
import type { Html } from '@rollcall/platform-node'
import type { ConsoleOptions } from './console-options.ts'
import type { Form } from './form-body.ts'
import type { Verifications } from './verifications.ts'

/** One request of a browser that is logged in. */
export interface Visit {
  readonly options: ConsoleOptions
  readonly caller: Caller
  /** What the caller may do. */
  readonly permitted: ReadonlySet<Permission>
  readonly session: ConsoleSession
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly form: Form
  /** Those of this console. */
  readonly verifications: Verifications
  /** Once aborted, the browser is gone. */
  readonly stop: { readonly aborted: boolean }
}

export interface Page {
  readonly title: string
  readonly content: Html
  readonly status?: number | undefined
  /** The wide parts of the page, such as a report, need the whole window. */
  readonly wide?: boolean | undefined
  /** Other origins that a form of the page leads to. */
  readonly formTargets?: readonly string[] | undefined
}

/** What a handler answers. */
export type Answer =
  | { readonly page: Page; readonly cookies?: readonly string[] | undefined }
  | { readonly to: string; readonly cookies?: readonly string[] | undefined }
  | {
      readonly file: AsyncIterable<string> | string
      readonly type: string
      readonly name?: string | undefined
      /** Replaces the policy of pages: what is shown as it is may not run. */
      readonly policy?: string | undefined
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
