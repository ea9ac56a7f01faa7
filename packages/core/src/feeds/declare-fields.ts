import { InvalidInput } from '../errors.ts'
import { asLocale } from '../subscriptions/locale.ts'
import { problemWithText } from '../text.ts'
import type { Feed } from './feed.ts'
import { type FeedField, FIELD_TYPES, LONGEST_FIELD_TEXT } from './feed-fields.ts'
import { FieldInUse } from './feed-in-use.ts'

const MOST_FIELDS = 20
const MOST_LANGUAGES = 20
const MOST_CHOICES = 100
const LONGEST_LABEL = 200
export const FIELD_NAME = /^[a-z][a-z0-9_]{0,31}$/
const MEMBERS: ReadonlySet<string> = new Set(['name', 'type', 'label', 'required', 'max', 'choices', 'public'])

type Given = Readonly<Record<string, unknown>>

/**
 * What the forms of a feed ask for, as a caller declares it.
 * @throws {InvalidInput} there are too many, two have the same name, or one is not what it must be
 */
export const parseFeedFields = (given: readonly unknown[]): readonly FeedField[] => {
  if (given.length > MOST_FIELDS) throw invalid(`Give at most ${MOST_FIELDS} fields.`)
  const fields = given.map(fieldIn)
  const twice = fields.find(({ name }, at) => fields.findIndex((one) => one.name === name) < at)
  if (twice !== undefined) throw invalid(`Give the field '${twice.name}' once.`)
  return fields
}

const invalid = (message: string): InvalidInput => new InvalidInput([{ field: 'fields', message }])

const fieldIn = (given: unknown): FeedField => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('Give each field as an object.')
  const it = given as Given
  const { name } = it
  if (typeof name !== 'string' || !FIELD_NAME.test(name))
    throw invalid("Give each field a 'name': 1 to 32 of a-z, 0-9 and underscore, beginning with a letter.")
  const refuse = (message: string): never => {
    throw invalid(`In the field '${name}': ${message}`)
  }
  const unknown = Object.keys(it).find((member) => !MEMBERS.has(member))
  if (unknown !== undefined) refuse(`there is no '${unknown}'. Use ${[...MEMBERS].join(', ')}.`)
  const type =
    FIELD_TYPES.find((one) => one === it.type) ?? refuse(`Use one of these as 'type': ${FIELD_TYPES.join(', ')}.`)
  return {
    name,
    type,
    label: labelIn(it.label, refuse),
    required: flagIn(it, 'required', refuse),
    max: maxIn(it.max ?? undefined, type, refuse),
    choices: choicesIn(it.choices ?? [], type, refuse),
    public: flagIn(it, 'public', refuse),
  }
}

type Refuse = (message: string) => never

const flagIn = (it: Given, member: 'required' | 'public', refuse: Refuse): boolean => {
  const flag = it[member] ?? false
  return typeof flag === 'boolean' ? flag : refuse(`Give '${member}' as true or false.`)
}

const isLabel = (text: unknown): text is string =>
  typeof text === 'string' && text.trim() !== '' && problemWithText(text, LONGEST_LABEL) === undefined

const labelIn = (label: unknown, refuse: Refuse): Readonly<Record<string, string>> => {
  const example = `Give 'label' as texts by language, such as {"en": "Company"}, each of at most ${LONGEST_LABEL} characters.`
  if (typeof label !== 'object' || label === null || Array.isArray(label)) return refuse(example)
  const entries: [string, unknown][] = Object.entries(label)
  if (entries.length === 0 || entries.length > MOST_LANGUAGES) return refuse(example)
  for (const [tag, text] of entries) if (asLocale(tag) !== tag || !isLabel(text)) return refuse(example)
  return label as Readonly<Record<string, string>>
}

const maxIn = (max: unknown, type: FeedField['type'], refuse: Refuse): number | undefined => {
  if (max === undefined) return undefined
  if (type === 'number')
    return typeof max === 'number' && Number.isFinite(max) ? max : refuse("Give 'max' as a number.")
  if (type !== 'text') return refuse("Leave 'max' out: only a text and a number have one.")
  const isLength = typeof max === 'number' && Number.isInteger(max) && max >= 1 && max <= LONGEST_FIELD_TEXT
  return isLength ? max : refuse(`Give 'max' as a number of characters, 1 to ${LONGEST_FIELD_TEXT}.`)
}

const choicesIn = (choices: unknown, type: FeedField['type'], refuse: Refuse): readonly string[] => {
  const isChoice = type === 'choice'
  if (!Array.isArray(choices) || (!isChoice && choices.length > 0))
    return refuse(isChoice ? "Give 'choices' as a list of texts." : "Leave 'choices' out: only a choice has them.")
  if (!isChoice) return []
  if (choices.length === 0 || choices.length > MOST_CHOICES) return refuse(`Give 1 to ${MOST_CHOICES} 'choices'.`)
  const good = choices.every((one) => isLabel(one)) && new Set(choices).size === choices.length
  return good ? choices : refuse(`Give each of the 'choices' once, as a text of 1 to ${LONGEST_LABEL} characters.`)
}

/**
 * The fields of a feed after these are declared in place of those that it has. What has values keeps its type, and stays
 * unless its values are to be erased: then it is marked, and counts as not declared from this moment on.
 * @throws {FieldInUse}
 */
export const nextFields = (
  { fields }: Pick<Feed, 'fields'>,
  declared: readonly FeedField[] | undefined,
  erase: boolean,
): readonly FeedField[] => {
  if (declared === undefined) return fields
  const known = new Map(fields.map((one) => [one.name, one]))
  const next = declared.map((field): FeedField => {
    const { type, stored = false, erasing = false } = known.get(field.name) ?? {}
    if (erasing)
      throw new FieldInUse(`The values of the field '${field.name}' are being erased. ${FINISH}`, { erasable: true })
    if (stored && type !== field.type)
      throw new FieldInUse(
        `The field '${field.name}' has values, so it stays a ${type}. Remove it with its values first.`,
      )
    return stored ? { ...field, stored } : field
  })
  const names = new Set(declared.map(({ name }) => name))
  const removed = fields.filter(({ name, stored, erasing }) => !names.has(name) && (stored || erasing))
  const kept = removed.filter(({ erasing }) => !erasing)
  if (kept.length > 0 && !erase)
    throw new FieldInUse(
      `These fields have values: ${kept.map(({ name }) => name).join(', ')}. Have the values erased, or declare the fields, too.`,
      { erasable: true },
    )
  return [...next, ...removed.map((one) => ({ ...one, erasing: true }))]
}

const FINISH = 'Wait until that is done, or have fields erased again to finish it.'
