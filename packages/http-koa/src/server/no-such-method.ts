import { HttpError } from '../http-error.ts'
import { EVERY_METHOD } from '../methods.ts'

const ALLOW = EVERY_METHOD.join(', ')

/** The error for a method that no endpoint has. */
export const noSuchMethod = (): HttpError =>
  new HttpError('MethodNotAllowed', `Use one of these methods: ${ALLOW}.`, { Allow: ALLOW })
