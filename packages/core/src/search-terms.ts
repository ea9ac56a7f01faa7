import { InvalidInput } from './errors.ts'
import type { DomainNames } from './platform/domain-names.ts'
import { asEmailAddress } from './subscriptions/email-address.ts'
import { problemWithText } from './text.ts'

/** Letters that Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ς: 'σ', ł: 'l', ø: 'o', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' }

/** Without the case of its letters, their accents, and what is not seen. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[ßςłøđıæœ]/g, (letter) => PLAIN[letter] ?? letter)

// Terms are kept as JSON, in which a quote begins one: none has a quote, or what stands for one.
const pieces = (text: string): string[] => text.split(/[\s\p{C}"\\]+/u).filter((piece) => piece !== '')

/** A longer one does not fit into every index. */
const LONGEST_TERM = 255

/** From its first letter or digit to its last one; all of it, if it has none. */
const trimmed = (piece: string): string => {
  const core = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u.exec(piece)?.[0] ?? piece
  return core.length <= LONGEST_TERM ? core : core.slice(0, LONGEST_TERM).toWellFormed()
}

/** Each piece, and what comes behind a hyphen, an apostrophe or the like within it. */
const wordsIn = (text: string): string[] =>
  pieces(folded(text)).flatMap((piece) => {
    const starts = [...piece.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)]
    return starts.length === 0 ? [trimmed(piece)] : starts.map(({ index }) => trimmed(piece.slice(index)))
  })

const wordsOfAddress = (email: string): string[] => {
  const address = folded(email)
  return [address, address.slice(address.lastIndexOf('@') + 1)].map(trimmed)
}

/** A name of more words is found by its first ones. */
const MOST_TERMS = 32

/** What begins another one is found with that. */
const together = (terms: readonly string[]): readonly string[] =>
  [...new Set(terms.slice(0, MOST_TERMS))]
    .sort()
    .filter((term, place, sorted) => sorted[place + 1]?.startsWith(term) !== true)

/** What a subscription is found by: its address, the domain of that, and the words of its name. */
export const subscriptionTerms = ({ email, name }: { readonly email: string; readonly name: string }) =>
  together([...wordsOfAddress(email), ...wordsIn(name)])

/** The same of a user, and its id. */
export const userTerms = ({
  id,
  email,
  name,
}: {
  readonly id: string
  readonly email: string
  readonly name: string
}) => together([...wordsOfAddress(email), ...wordsIn(id), ...wordsIn(name)])

/** Whether each word is the beginning of a term. */
export const findsTerms = (terms: readonly string[], words: readonly string[] = []): boolean =>
  words.every((word) => terms.some((term) => term.startsWith(word)))

/** Whether there is anything to look for: quotes and what is not seen are no words. */
export const hasWords = (query: string): boolean => pieces(folded(query)).length > 0

/** As long as the longest id or address. */
const LONGEST_QUERY = 255
const MOST_WORDS = 8

/**
 * The words of a query, folded as terms are; undefined if nothing is looked for. An address or a domain is read as it is
 * stored.
 * @throws {InvalidInput} it is too long, or has a control character or an unpaired surrogate
 */
export const searchWords = (query: string | undefined, domainNames: DomainNames): readonly string[] | undefined => {
  if (query === undefined) return undefined
  const problem = problemWithText(query, LONGEST_QUERY)
  if (problem !== undefined) throw new InvalidInput([{ field: 'query', message: problem }])
  const whole = asEmailAddress(query, domainNames)?.key
  const words = whole === undefined ? pieces(query).map((piece) => asStored(piece, domainNames)) : [whole]
  const sought = words.flatMap((word) => pieces(folded(word))).map(trimmed)
  if (sought.length > MOST_WORDS)
    throw new InvalidInput([{ field: 'query', message: `Give at most ${MOST_WORDS} words.` }])
  return sought.length === 0 ? undefined : [...new Set(sought)]
}

const ASCII = /^[\x21-\x7e]*$/

const asStored = (piece: string, domainNames: DomainNames): string => {
  if (ASCII.test(piece)) return piece
  const domain = piece.includes('.') && !piece.includes('@') ? domainNames.toAscii(piece) : undefined
  return asEmailAddress(piece, domainNames)?.key ?? domain ?? piece
}
