import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition } from '@rollcall/core'
import { parseHttpDate } from '@rollcall/platform-node'
import { matchesStrongly, matchesWeakly } from './entity-tag.ts'
import type { Validators } from './not-modified.ts'
import { wholeSecond } from './whole-second.ts'

/**
 * What the request demands of the present state before it is changed; undefined where it demands nothing.
 * @see RFC 9110 section 13.2.2
 */
export const preconditionOf = <T>(
  headers: IncomingHttpHeaders,
  validatorsOf: (current: T) => Validators,
): Precondition<T> | undefined => {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  const date = match === undefined ? headers['if-unmodified-since'] : undefined
  const unmodifiedSince = date === undefined ? undefined : parseHttpDate(date)
  if (match === undefined && noneMatch === undefined && unmodifiedSince === undefined) return undefined
  return (current) => {
    const { entityTag, lastModified } = current === undefined ? NOTHING : validatorsOf(current)
    if (match !== undefined && !matchesStrongly(match, entityTag)) return false
    if (unmodifiedSince !== undefined && !(wholeSecond(lastModified ?? Infinity) <= unmodifiedSince)) return false
    return noneMatch === undefined || !matchesWeakly(noneMatch, entityTag)
  }
}

const NOTHING: Validators = { entityTag: undefined, lastModified: undefined }
