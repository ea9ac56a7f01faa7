import type { DomainError } from '@rollcall/core'

export type Query = Readonly<Record<string, string | number | undefined>>

/** What is asked of a server. */
export interface RemoteRequest {
  readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT'
  /** Begins with a slash, and is percent-encoded where it has to be. */
  readonly path: string
  readonly query?: Query | undefined
  readonly json?: unknown
  /** A file that is sent while it is read. */
  readonly file?: { readonly type: string; readonly body: AsyncIterable<Uint8Array> }
  /** Entity tags, one of which the record must have. */
  readonly ifMatch?: string | undefined
  /** Names the request in the log and the trail of the server; random where none is given. */
  readonly requestId?: string | undefined
  /** Whether a refusal shows that an earlier try, whose answer was lost, succeeded. */
  readonly doneBefore?: ((error: DomainError) => boolean | Promise<boolean>) | undefined
}

/** Whether it may be sent again without doing it twice (RFC 9110 section 9.2.2). */
export const isRepeatable = ({ method }: RemoteRequest): boolean => method !== 'POST'

export const queryText = (query: Query = {}): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}

/**
 * A path with the texts as segments of it.
 * @throws {DomainError} one of them would lead elsewhere, so that there is no such record: `fetch` takes `..` for a way
 * up, also percent-encoded
 */
export const pathOf = (NotFound: new () => DomainError, collection: string, ...segments: readonly string[]): string => {
  if (segments.some((segment) => !segment.isWellFormed() || ['', '.', '..'].includes(segment))) throw new NotFound()
  return `/${collection}/${segments.map(encodeURIComponent).join('/')}`
}
