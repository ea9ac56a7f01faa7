import { UNSPACED } from '../audit/reason.ts'
import type { EventType } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { describeFailure } from '../outbox/outcomes.ts'
import type { Position } from '../page.ts'
import type { WebhookName } from './webhook.ts'

/** What is sent when an operator tries a target: of no event, and in no list. */
export const TEST_TYPE = 'webhook.test'

/** What a target said to one try. It holds nothing of what was sent but ids. */
export interface WebhookAnswer {
  readonly webhook: WebhookName
  readonly at: Instant
  /** Of the event; 0 of a test. */
  readonly position: Position
  readonly type: EventType | typeof TEST_TYPE
  readonly subject: string
  /** 1 for the first try. */
  readonly attempt: number
  /** Of the answer (HTTP); undefined if there was none. */
  readonly status: number | undefined
  /** Why the target did not take it; undefined if it did. */
  readonly error: string | undefined
  /** The beginning of what it said. */
  readonly head: string | undefined
}

/** So many are kept of each target. */
export const KEPT_ANSWERS = 50

const LONGEST_HEAD = 200
const SHORTEST_WORD = 3
const HAS_LETTER = /[\p{L}\p{N}]/u
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g

/**
 * What a target said, in one line, without addresses and without the words that it was sent of a person: many an answer
 * repeats its question.
 */
export const headOf = (said: string | undefined, body: string): string | undefined => {
  // Most say nothing, and to compile an expression for each event takes megabytes.
  if (said === undefined || said.trim() === '') return undefined
  const { data = {} } = JSON.parse(body) as { readonly data?: Readonly<Record<string, unknown>> }
  // Of one who is gone nobody knows any more what to leave out.
  if (data.id !== undefined && data.email === undefined) return undefined
  const words = personalWords(data)
  const inOrder = [...spellings(words).map(patternOf), ...spellings(words.flatMap(partsOf)).map(byItself)]
  const masked = inOrder.length === 0 ? said : said.replaceAll(new RegExp(inOrder.join('|'), 'giu'), '…')
  return describeFailure(masked).replace(/\s+/g, ' ').slice(0, LONGEST_HEAD).toWellFormed().trim() || undefined
}

/** The longest first: it may begin as another does. */
const spellings = (words: readonly string[]): string[] =>
  words.flatMap((word) => [word, asciiOf(word), encodeURIComponent(word)]).sort((a, b) => b.length - a.length)

const escaped = (word: string): string => word.replace(SPECIAL, '\\$&')

const byItself = (word: string): string => `(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`

/** A short one is in many others, and is only meant where it stands by itself. */
const patternOf = (word: string): string =>
  word.length >= SHORTEST_WORD || UNSPACED.test(word) ? escaped(word) : byItself(word)

/** As most encoders of JSON write it. */
const asciiOf = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const personalWords = ({ email, name, fields }: Readonly<Record<string, unknown>>): string[] =>
  [email, name, fields]
    .flatMap(textsIn)
    .flatMap((text) => text.split(/[\s"\\]+/))
    .filter((word) => HAS_LETTER.test(word))

/** What a person may be called by as well: an address without its domain, and each of the names in a name with hyphens. */
const partsOf = (word: string): string[] => {
  const name = word.replace(/@.*$/, '')
  const parts = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((part) => part.length >= SHORTEST_WORD)
  return name === word || !HAS_LETTER.test(name) ? parts : [name, ...parts]
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
