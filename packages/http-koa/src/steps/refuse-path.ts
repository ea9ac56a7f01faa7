import type { AppStep } from '../exchange.ts'
import { HttpError } from '../http-error.ts'

/** The last step of the application: no route took the request. */
export const refusePath: AppStep = () => {
  throw new HttpError('NotFound', 'There is nothing at this path. Check it, or see /openapi.json for all there is.')
}
