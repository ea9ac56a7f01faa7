import { InvalidInput } from '../errors.ts'
import type { Feed } from '../feeds/feed.ts'
import { type Instant, parseTime } from '../instant.ts'
import { CONSENT_ACTIONS, type ConsentRecord, textOfWording } from '../subscriptions/consent.ts'
import { asLocale } from '../subscriptions/locale.ts'
import { problemWithText } from '../text.ts'

/** A consent record of another service's, with the wording as it was read there. */
export interface ImportedConsent extends ConsentRecord {
  readonly wordingText: string | undefined
}

/** Evidence of consent: a text, or the ledger of an export. */
export type ConsentEvidence =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'ledger'; readonly entries: readonly ImportedConsent[] }

const LONGEST_WORDING = 8_000
/** An id of 255 characters, and what says that it is one. */
const LONGEST_TEXT = 300
const NONE: ConsentEvidence = { kind: 'none' }

/** @throws {InvalidInput} it is neither a text nor the entries of an export */
export const parseConsent = (value: unknown, now: Instant): ConsentEvidence => {
  if (value === undefined || value === null) return NONE
  if (Array.isArray(value)) return ledgerOf(value, now)
  if (typeof value !== 'string') throw invalid('Say in a text how consent was given, or give the entries of an export.')
  const text = value.trim()
  if (text === '') return NONE
  const entries = text.startsWith('[') ? entriesIn(text) : undefined
  return entries === undefined ? { kind: 'text', text: wordingIn(text) } : ledgerOf(entries, now)
}

/**
 * The record as it is kept here. A wording of the same name may say something else here: then the ledger gets what was
 * read, word for word.
 */
export const keptConsent = ({ wordingText, ...record }: ImportedConsent, feed: Feed): ConsentRecord => {
  const isKnown = wordingText === undefined || wordingText === textOfWording(feed, record.wording)
  return isKnown ? record : { ...record, wording: wordingText }
}

const invalid = (message: string): InvalidInput => new InvalidInput([{ field: 'consent', message }])

/** In CSV a ledger is a cell of JSON. */
const entriesIn = (text: string): readonly unknown[] | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const ledgerOf = (entries: readonly unknown[], now: Instant): ConsentEvidence => {
  return entries.length === 0 ? NONE : { kind: 'ledger', entries: entries.map((entry) => entryOf(entry, now)) }
}

const entryOf = (value: unknown, now: Instant): ImportedConsent => {
  if (typeof value !== 'object' || value === null) throw invalid('Give every entry as an export does: as an object.')
  const entry = value as Readonly<Record<string, unknown>>
  const action = CONSENT_ACTIONS.find((one) => one === entry.deed)
  if (action === undefined) throw invalid(`Give every entry a 'deed', one of these: ${CONSENT_ACTIONS.join(', ')}.`)
  const at = parseTime(textIn(entry, 'at') ?? '', 'consent', now)
  if (at === undefined) throw invalid("Give every entry its time, 'at'.")
  const wordingText = entry.wording_text
  return {
    at,
    deed: action,
    via: textIn(entry, 'via') ?? 'import',
    clientAddress: textIn(entry, 'client_address'),
    userAgent: textIn(entry, 'user_agent'),
    wording: wordingIn(entry.wording ?? ''),
    wordingText: wordingText === undefined || wordingText === null ? undefined : wordingIn(wordingText),
    language: asLocale(textIn(entry, 'language')),
    count: countIn(entry.count ?? 1),
  }
}

const textIn = (entry: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = entry[name]
  if (value === undefined || value === null) return undefined
  const problem = typeof value === 'string' ? problemWithText(value, LONGEST_TEXT) : 'Give a text.'
  if (typeof value === 'string' && problem === undefined) return value
  throw invalid(`In '${name}' of an entry: ${problem}`)
}

const wordingIn = (value: unknown): string => {
  // Wordings have paragraphs.
  const problem =
    typeof value === 'string' ? problemWithText(value.replace(/[\t\n\r]/g, ' '), LONGEST_WORDING) : 'Give a text.'
  if (typeof value === 'string' && problem === undefined) return value
  throw invalid(`In the wording: ${problem}`)
}

const countIn = (value: unknown): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 2 ** 31) return value
  throw invalid("Give 'count' of an entry as a whole number, 1 or more.")
}
