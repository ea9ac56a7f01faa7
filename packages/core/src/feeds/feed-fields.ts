import { utf8Of } from '../bytes.ts'
import { type FieldProblem, InvalidInput } from '../errors.ts'
import { isDay } from '../instant.ts'
import { problemWithText } from '../text.ts'

export const FIELD_TYPES = ['text', 'choice', 'boolean', 'date', 'number'] as const

export type FieldType = (typeof FIELD_TYPES)[number]

/** What forms of a feed ask for beside name and address. */
export interface FeedField {
  /** It is sent as `field_<name>`. */
  readonly name: string
  readonly type: FieldType
  /** What people are asked, by language tag; one at least. */
  readonly label: Readonly<Record<string, string>>
  /** Whether a sign-up form must give it. */
  readonly required: boolean
  /** Of a text: how many characters; of a number: the largest. */
  readonly max: number | undefined
  /** Of a choice: its values; else empty. */
  readonly choices: readonly string[]
  /** Whether the owner of an address sees and changes it. */
  readonly public: boolean
  /** Whether a value was ever stored: from then on its type is fixed. */
  readonly stored?: boolean | undefined
  /** Whether its values are being erased: it counts as not declared. */
  readonly erasing?: boolean | undefined
}

export type FieldValue = string | number | boolean

/** The values of a subscription by the names of its feed's fields. */
export type FieldValues = Readonly<Record<string, FieldValue>>

/** What was submitted, by the names of fields: texts, and in JSON also numbers and booleans. */
export type SubmittedFields = Readonly<Record<string, unknown>>

const USUAL_LENGTH = 200
export const LONGEST_FIELD_TEXT = 1_000
const MOST_BYTES = 4096
/** As JavaScript writes one, too: exports do. */
const NUMBER = /^[+-]?(?:\d{1,24}(?:\.\d{1,24})?|\.\d{1,24})(?:e[+-]?\d{1,3})?$/i

/** What stands before the name of a field in forms, in JSON and in files. */
export const FIELD_PREFIX = 'field_'

/** What a field is called there. */
export const submittedName = (name: string): string => `${FIELD_PREFIX}${name}`

/** Those that forms may fill in now. */
export const declaredFields = ({ fields }: { readonly fields: readonly FeedField[] }): readonly FeedField[] =>
  fields.some(({ erasing }) => erasing) ? fields.filter(({ erasing }) => !erasing) : fields

/**
 * The values that a form gives for these fields; what is not declared is ignored. Undefined if there is none.
 * `required`: whether those that are required must be there.
 * @throws {InvalidInput} with the problems of every field that has one
 */
export const readFieldValues = (
  fields: readonly FeedField[],
  submitted: SubmittedFields,
  { required = true } = {},
): FieldValues | undefined => {
  const problems: FieldProblem[] = []
  const values: Record<string, FieldValue> = {}
  for (const field of fields) {
    const given = Object.hasOwn(submitted, field.name) ? submitted[field.name] : undefined
    const read = readValue(field, given)
    if (typeof read === 'object') problems.push({ field: submittedName(field.name), message: read.problem })
    else if (read !== undefined) values[field.name] = read
    else if (required && field.required)
      problems.push({ field: submittedName(field.name), message: 'Give this field.' })
  }
  if (problems.length > 0) throw new InvalidInput(problems)
  return asFieldValues(values)
}

/** Whether a field of this type can have the value. */
export const fitsType = ({ type }: Pick<FeedField, 'type'>, value: FieldValue): boolean => {
  if (type === 'number' || type === 'boolean') return typeof value === type
  return typeof value === 'string' && (type !== 'date' || isDay(value))
}

/** The same values; undefined if there is none. */
export const asFieldValues = (values: FieldValues): FieldValues | undefined => {
  for (const _ in values) return values
  return undefined
}

/**
 * Several feeds may share a form, and a form has one limit.
 * @throws {InvalidInput} the values have more than 4 KiB together
 */
export const limitFieldValues = (all: readonly (FieldValues | undefined)[]): void => {
  if (all.every((values) => values === undefined)) return
  const distinct = new Map<string, FieldValue>()
  for (const values of all)
    for (const [name, value] of Object.entries(values ?? {})) distinct.set(`${name} ${value}`, value)
  let bytes = 0
  for (const value of distinct.values()) bytes += utf8Of(`${value}`).length
  if (bytes > MOST_BYTES)
    throw new InvalidInput([{ field: 'fields', message: 'Use at most 4 KiB for all fields together.' }])
}

type Read = FieldValue | undefined | { readonly problem: string }

/** An empty text is no value: a form sends one for every input that is left empty. */
const readValue = (field: FeedField, given: unknown): Read => {
  if (given === undefined || given === null || given === '') return undefined
  if (Array.isArray(given)) return problem('Give one value, once.')
  switch (field.type) {
    case 'text':
      return textIn(given, field.max ?? USUAL_LENGTH)
    case 'choice':
      return (
        field.choices.find((choice) => choice === given) ?? problem(`Use one of these: ${field.choices.join(', ')}.`)
      )
    case 'boolean':
      return booleanIn(given) ?? problem('Give true or false.')
    case 'date':
      return typeof given === 'string' && isDay(given) ? given : problem('Give a date such as 2024-07-02.')
    case 'number':
      return numberIn(given, field.max)
  }
}

const problem = (text: string): { problem: string } => ({ problem: text })

const textIn = (given: unknown, longest: number): Read => {
  if (typeof given !== 'string') return problem('Give a text.')
  const found = problemWithText(given, longest)
  return found === undefined ? given : problem(found)
}

// Also as spreadsheets in the languages of our pages write them.
const TRUE: ReadonlySet<unknown> = new Set([true, 'true', 'on', '1', 'yes', 'wahr', 'vrai', 'verdadero'])
const FALSE: ReadonlySet<unknown> = new Set([false, 'false', 'off', '0', 'no', 'falsch', 'faux', 'falso'])

/** `on` is what a browser sends for a box that is ticked. */
const booleanIn = (given: unknown): boolean | undefined => {
  const word = typeof given === 'string' ? given.toLowerCase() : given
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined
}

const numberIn = (given: unknown, max: number | undefined): Read => {
  const number = typeof given === 'string' && NUMBER.test(given) ? Number(given) : given
  if (typeof number !== 'number' || !Number.isFinite(number)) return problem('Give a number such as 3 or 2.5.')
  if (max !== undefined && number > max) return problem(`Give a number of at most ${max}.`)
  return number
}
