import { InvalidInput } from '@rollcall/core'
import type { HttpOptions } from '../http-options.ts'

/** Whoever refuses one of these has said which rule it was. */
const COUNTED_ELSEWHERE: ReadonlySet<string> = new Set(['altcha', 'stamp'])

/** Tells the funnel of a form that was turned away for what was in its fields; nothing of any other error. */
export const countInvalidInput = ({ funnel }: Pick<HttpOptions, 'funnel'>, error: unknown): void => {
  if (error instanceof InvalidInput && !error.details.some(({ field }) => COUNTED_ELSEWHERE.has(field)))
    funnel?.turnedAway('invalid-input')
}
