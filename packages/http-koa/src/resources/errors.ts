import { type ErrorName, STATUS } from '../error-response.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'

export const ErrorBody = s.named(
  'Error',
  s.record({
    error: s.oneOf(Object.keys(STATUS), 'Does not change.'),
    message: s.text('For people; says what to do.'),
  }),
)
const InvalidInput = s.named(
  'InvalidInput',
  s.record({ error: s.always('InvalidInput'), message: s.text(), details: w.fieldProblems }),
)
const InternalError = s.named(
  'InternalError',
  s.record({
    error: s.always('InternalError'),
    message: s.text(),
    request_id: s.text('The id to look for in the log.'),
  }),
)

/** Errors that say more than their name and what to do. */
export const ERROR_SCHEMAS: Readonly<Partial<Record<ErrorName, s.Schema>>> = { InvalidInput, InternalError }
