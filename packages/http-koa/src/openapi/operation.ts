import type { Guarded } from '@rollcall/core'
import type { ErrorName } from '../error-response.ts'
import type { SchemaName } from './schemas.ts'

/** The description of one endpoint, beyond what follows from its path. */
export interface Operation {
  readonly id: string
  readonly summary: string
  /** The use case that says which permission it takes; public where absent. */
  readonly guarded?: Guarded
  /** Also for the user itself, whatever its roles. */
  readonly self?: boolean
  readonly query?: Readonly<Record<string, string>>
  readonly body?: SchemaName | 'import'
  /** Status to what is in the body; `page` for HTML, `script` for a script, null for nothing. */
  readonly answers: Readonly<Record<number, SchemaName | 'page' | 'script' | 'export' | 'import-report' | null>>
  /** Also HTML, for clients that prefer it. */
  readonly orPage?: boolean
  /** Honours `If-None-Match`, `If-Modified-Since`; or, with `write`, `If-Match` and its like. */
  readonly conditional?: 'read' | 'write'
  readonly errors: readonly ErrorName[]
}

/** A method, and a path with its parameters in braces. */
export type Route = `${string} /${string}`

export const PAGING = {
  limit: 'How many at most: 1 to 200, 50 where none is given.',
  cursor: "The 'next' of the page before.",
} as const

/** Errors of any request with a body. */
export const BODY_ERRORS = ['MalformedRequest', 'PayloadTooLarge', 'UnsupportedMediaType'] as const

/** Errors of any request for a list. */
export const LIST_ERRORS = ['InsufficientPermissions', 'MalformedRequest', 'InvalidInput'] as const
