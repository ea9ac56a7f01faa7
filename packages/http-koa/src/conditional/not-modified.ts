import type { IncomingHttpHeaders } from 'node:http'
import { parseHttpDate } from '@rollcall/platform-node'
import { matchesWeakly } from './entity-tag.ts'
import { wholeSecond } from './whole-second.ts'

/** What a representation may be recognised by. */
export interface Validators {
  readonly entityTag: string | undefined
  /** Milliseconds. */
  readonly lastModified: number | undefined
}

/**
 * Whether what the client has is what it would get. A tag wins over a date; a date counts only for a record that is
 * older than the current second, since within one second a date cannot tell two states apart.
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
