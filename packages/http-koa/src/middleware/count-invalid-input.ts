import { InvalidInput } from '@rollcall/core'
import type { HttpOptions } from '../http-options.ts'

/** The checks of these fields count their own refusals. */
const COUNTED_ELSEWHERE: ReadonlySet<string> = new Set(['altcha', 'stamp'])

/** Counts a form that was refused for the content of its fields; ignores every other error. */
export const countInvalidInput = ({ funnel }: Pick<HttpOptions, 'funnel'>, error: unknown): void => {
  if (error instanceof InvalidInput && !error.details.some(({ field }) => COUNTED_ELSEWHERE.has(field)))
    funnel?.turnedAway('invalid-input')
}
