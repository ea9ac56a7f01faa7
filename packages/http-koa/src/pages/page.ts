import type { Html } from './html.ts'
import type { Texts } from './language.ts'
import type { MarkName } from './mark.ts'

/** One page, before it is laid out. */
export interface Page {
  readonly texts: Texts
  /** What the window is called. */
  readonly title: string
  /** What stands above the content; the title where none is given. */
  readonly heading?: Html | undefined
  readonly mark?: MarkName | undefined
  readonly content: Html
  /** Whether a form on it has a challenge to solve, by our script: the only one that a page may run. */
  readonly challenge?: boolean | undefined
  /** Where a form on it may be sent on to, beside this service: whole URLs. */
  readonly formTargets?: readonly string[] | undefined
}
