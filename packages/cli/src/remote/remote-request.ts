import { methodOf, type OperationId, type Params } from '@rollcall/client'
import type { DomainError } from '@rollcall/core'

type GivenBody<Body> = { readonly [Field in keyof Body]: Body[Field] | undefined }

/** What an operation takes, as it was given: what is missing or wrong, the server says. */
export type GivenParams<Id extends OperationId> = {
  readonly [Name in keyof Params<Id>]: Name extends 'body'
    ? GivenBody<Params<Id>[Name]>
    : string | number | boolean | undefined
}

export interface RequestOptions {
  /** Names the request in the log and the trail of the server; random where none is given. */
  readonly requestId?: string | undefined
  /** Whether a refusal shows that an earlier try, whose answer was lost, succeeded. */
  readonly doneBefore?: ((error: DomainError) => boolean | Promise<boolean>) | undefined
  /** Its body is a file that is sent while it is read. */
  readonly isFile?: boolean | undefined
}

/** What is asked of a server. */
export interface RemoteRequest extends RequestOptions {
  readonly operation: OperationId
  readonly params: object
}

/** Whether it changes nothing. */
export const isRead = ({ operation }: RemoteRequest): boolean => methodOf(operation) === 'GET'

/** Whether it may be sent again without doing it twice (RFC 9110 section 9.2.2). */
export const isRepeatable = ({ operation }: RemoteRequest): boolean => methodOf(operation) !== 'POST'

/**
 * A text that is part of a path.
 * @throws {DomainError} it would lead elsewhere, so that there is no such record
 */
export const inPath = (NotFound: new () => DomainError, text: string): string => {
  if (!text.isWellFormed() || ['', '.', '..'].includes(text)) throw new NotFound()
  return text
}
