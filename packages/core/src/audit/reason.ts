import { InvalidInput } from '../errors.ts'
import { codePoints, problemWithText } from '../text.ts'

/** The person that a reason is about, and the data that must not appear in it. */
export interface Person {
  /** In the possessive, for the refusal: `the user's`. */
  readonly whose: string
  readonly name: string
  readonly otherNames?: readonly string[] | undefined
  readonly addresses: readonly string[]
}

const LONGEST = 500
/** A shorter name counts only as a separate word: otherwise a person named E would rule out every reason. */
const SHORTEST_PART = 4
/** These are written without spaces, and two characters are a whole name. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const LETTER = /[\p{L}\p{N}]/u

/**
 * The trail outlives the person, so a reason must not identify them.
 * @throws {InvalidInput} the reason is too long, or contains the person's name or e-mail address
 */
export const parseReason = (reason: string | undefined, person?: Person): string | undefined => {
  if (reason === undefined) return undefined
  const problem = problemWithText(reason, LONGEST) ?? (person && problemWithPerson(reason, person))
  if (problem !== undefined) throw new InvalidInput([{ field: 'reason', message: problem }])
  return reason
}

/**
 * The same for a required reason.
 * @throws {InvalidInput} also if it is missing
 */
export const parseRequiredReason = (reason: string | undefined, person: Person): string => {
  const given = parseReason(reason, person)
  if (given !== undefined && given.trim() !== '') return given
  throw new InvalidInput([{ field: 'reason', message: 'Say why: the audit trail keeps it.' }])
}

/** Normalised, so that different spellings of the same text compare equal. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

const problemWithPerson = (reason: string, { whose, ...person }: Person): string | undefined =>
  identifies(reason, person)
    ? `Leave out ${whose} name and e-mail address: the trail keeps the reason for ever.`
    : undefined

/** Whether a text contains the name or an address of a person. */
export const identifies = (text: string, { name, otherNames = [], addresses }: Omit<Person, 'whose'>): boolean => {
  const searched = folded(text)
  return (
    [name, ...otherNames].some((one) => contains(searched, folded(one))) ||
    addresses.some((address) => searched.includes(mark(folded(address))))
  )
}

/** What gives an address away: of one whose domain can be written in other letters, the part that cannot. */
const mark = (address: string): string =>
  /[@.]xn--/.test(address) ? address.slice(0, address.lastIndexOf('@') + 1) : address

const contains = (reason: string, name: string): boolean => {
  if (name === '') return false
  if (codePoints(name) >= SHORTEST_PART || UNSPACED.test(name)) return reason.includes(name)
  for (let at = reason.indexOf(name); at >= 0; at = reason.indexOf(name, at + 1))
    if (!isWithinWord(reason, at, at + name.length)) return true
  return false
}

const isWithinWord = (text: string, from: number, to: number): boolean =>
  LETTER.test(Array.from(text.slice(0, from)).at(-1) ?? '') || LETTER.test(Array.from(text.slice(to))[0] ?? '')
