export type { Operations } from '../generated/operations.ts'
export type * from '../generated/schemas.ts'
export { createClient } from './create-client.ts'
export { isChangedTag } from './entity-tag.ts'
export type { FileBody, FileText, Picture } from './file-body.ts'
export { linesOf, textOf } from './lines.ts'
export { type FieldProblem, RollcallError } from './rollcall-error.ts'
export { methodOf } from './route.ts'
export type {
  AnswerOf,
  CallOptions,
  Client,
  ClientOptions,
  ErrorName,
  ErrorOf,
  Listing,
  OperationId,
  Params,
  RetryOptions,
} from './types.ts'
