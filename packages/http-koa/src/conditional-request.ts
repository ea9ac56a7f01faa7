import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { parseHttpDate } from '@rollcall/platform-node'
import type { RouteContext } from './exchange.ts'

/** Identifies a state of a representation. */
interface Validators {
  readonly entityTag: string | undefined
  /** Milliseconds. */
  readonly lastModified: number | undefined
}

/**
 * Whether the state is one that the client expects. Without an entity tag in the request, a date counts; without a date of
 * the record, that is ignored.
 * @see RFC 9110 section 13.2.2
 */
export const isExpected = (headers: IncomingHttpHeaders, { entityTag, lastModified }: Validators): boolean => {
  const match = headers['if-match']
  if (match !== undefined) return matchesStrongly(match, entityTag)
  const since = dateIn(headers['if-unmodified-since'])
  return since === undefined || lastModified === undefined || wholeSecond(lastModified) <= since
}

const dateIn = (field: string | undefined): number | undefined =>
  field === undefined ? undefined : parseHttpDate(field)

/**
 * Whether the client already has what it would get. An entity tag wins over a date. A date only counts for a record that
 * is older than the current second, because within one second a date cannot tell two states apart. `Cache-Control` does
 * not count: in a request it speaks to caches (RFC 9111 section 5.2.1), and `fetch()` adds `no-cache` to conditions.
 * @see RFC 9110 section 13.2.2
 */
export const isNotModified = (
  headers: IncomingHttpHeaders,
  { entityTag, lastModified }: Validators,
  now: number,
): boolean => {
  const tags = headers['if-none-match']
  if (tags !== undefined) return matchesWeakly(tags, entityTag)
  const since = dateIn(headers['if-modified-since'])
  if (since === undefined || lastModified === undefined) return false
  return wholeSecond(lastModified) <= since && isDatable(lastModified, now)
}

/**
 * The time that `Last-Modified` gives. Within the second of a change the record may change again, and its date would not
 * tell the two states apart; so it is then the second before, which no later condition on a date takes for this state.
 */
export const dateOf = (lastModified: number, now: number): number =>
  isDatable(lastModified, now) ? lastModified : wholeSecond(now) - 1_000

const isDatable = (lastModified: number, now: number): boolean => wholeSecond(lastModified) < wholeSecond(now)

/** How records of one kind are shown, and what identifies a state of a record. */
export interface Resource<Item, Record = unknown> {
  readonly record: (item: Item) => Record
  /** The part of the record that only changes if somebody changes it; by default all of it. */
  readonly state?: (item: Item) => unknown
  /** In milliseconds. Absent, or undefined, if a record may change while all its times stay the same. */
  readonly lastModified?: (item: Item) => number | undefined
  /** The same of all that is shown, if some of it changes by itself; it may be to come. */
  readonly lastDifferent?: (item: Item) => number | undefined
}

/**
 * Whether the conditions of a request hold for the record as it is. Without a resource it has no tag and no date, and only
 * `*` tells something.
 * @see RFC 9110 section 13.2.2
 */
export const conditionOn = <Item>(
  resource: Resource<Item> | undefined,
  { headers }: RouteContext,
): ((current: Item | undefined) => boolean) => {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  const mustExist = match !== undefined || dateIn(headers['if-unmodified-since']) !== undefined
  if (!mustExist && noneMatch === undefined) return () => true
  return (current) => {
    if (current === undefined) return !mustExist
    const entityTag = resource ? tagOf(resource, current) : UNKNOWN_TAG
    if (noneMatch !== undefined && matchesWeakly(noneMatch, entityTag)) return false
    return isExpected(headers, { entityTag, lastModified: resource?.lastModified?.(current) })
  }
}

/** No tag that anybody could send. */
const UNKNOWN_TAG = '\0'

/** Of a tag, what says whether somebody has changed the record. */
const STATE = 20
const TAG_LENGTH = 27

const digestOf = (text: string): string => hash('sha256', text, 'base64url')

/**
 * A strong entity tag over the bytes of a representation, quotes included. It begins with what says whether the `state` in
 * it is another.
 */
export const entityTagOf = (representation: string, state = representation): string =>
  `"${digestOf(state).slice(0, STATE)}${digestOf(representation).slice(STATE, TAG_LENGTH)}"`

/** Of a record as it is shown. */
export const tagOf = <Item>({ record, state = record }: Resource<Item>, item: Item): string =>
  entityTagOf(JSON.stringify(record(item)), JSON.stringify(state(item)))

/** A tag of ours, cut to what says whether somebody has changed the record. */
const changedBy = (tag: string): string => (tag.length === TAG_LENGTH + 2 ? tag.slice(0, STATE + 1) : tag)

const TAG = /^(W\/)?("[\x21\x23-\x7e\u0080-\u00ff]*")$/

const tagsOf = (field: string): string[] => field.split(',').map((tag) => tag.trim())

/**
 * RFC 9110 section 13.1.1: strong comparison; a weak tag matches nothing. But what changes by itself, such as the day on
 * which a user was last seen, is no reason to refuse: the condition is that nobody has changed the record meanwhile.
 */
const matchesStrongly = (field: string, current: string | undefined): boolean => {
  if (current === undefined) return false
  return field.trim() === '*' || tagsOf(field).some((tag) => changedBy(tag) === changedBy(current))
}

/** What Apache, Jetty and others append to the tag of what they compress; they send it back to us as it is. */
const CODING = /^(?:-{1,2}|;)(?:gzip|br|zstd|deflate)"$/

/** RFC 9110 section 13.1.2: weak comparison. To the same state belongs what a proxy compressed of it. */
const matchesWeakly = (field: string, current: string | undefined): boolean => {
  if (field.trim() === '*') return current !== undefined
  const opaque = current && TAG.exec(current)?.[2]
  if (opaque === undefined) return false
  return tagsOf(field).some((tag) => {
    const known = TAG.exec(tag)?.[2]
    // A tag of ours may end with a hyphen itself.
    const begin = opaque.slice(0, -1)
    return known === opaque || (known?.startsWith(begin) === true && CODING.test(known.slice(begin.length)))
  })
}

/** The instant, cut to whole seconds. */
const wholeSecond = (milliseconds: number): number => Math.floor(milliseconds / 1_000) * 1_000
