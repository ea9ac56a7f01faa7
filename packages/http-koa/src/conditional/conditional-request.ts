import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition } from '@rollcall/core'
import { parseHttpDate } from '@rollcall/platform-node'
import { matchesStrongly, matchesWeakly } from './entity-tag.ts'
import { wholeSecond } from './whole-second.ts'

/** Identifies a state of a representation. */
export interface Validators {
  readonly entityTag: string | undefined
  /** Milliseconds. */
  readonly lastModified: number | undefined
}

/**
 * Whether the client already has what it would get. An entity tag wins over a date. A date only counts for a record that
 * is older than the current second, because within one second a date cannot tell two states apart.
 * @see RFC 9110 section 13.2.2
 */
export const isNotModified = (
  headers: IncomingHttpHeaders,
  { entityTag, lastModified }: Validators,
  now: number,
): boolean => {
  if (/(?:^|,)\s*no-cache\s*(?:,|$)/i.test(headers['cache-control'] ?? '')) return false
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesWeakly(tags, entityTag)
  const date = headers['if-modified-since']
  const since = date === undefined ? undefined : parseHttpDate(date)
  if (since === undefined || lastModified === undefined) return false
  const modified = wholeSecond(lastModified)
  return modified <= since && modified < wholeSecond(now)
}

/**
 * The condition under which the request may change the current state; undefined if it sets none.
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
