import { InvalidInput } from '../errors.ts'
import { withoutMargins } from '../text.ts'
import { decidingColumns } from '../transfer/column-guards.ts'
import { decidingProblem, type IdListOptions, isMeant, meantName } from './id-columns.ts'

/** Members of the objects that are not used. */
export interface OtherMembers {
  readonly names: readonly string[]
}

export const looksLikeJson = (line: string): boolean => /^\s*[[{]/.test(line)

const WHAT =
  'A list in JSON is an array of ids, or of objects with a member for it; or such an object a line. Else give one id a line, or put a line `id` before them.'

/**
 * The ids, or the addresses, of JSON: an array, an object with one, or an object a line.
 * @throws {InvalidInput} it is something else, or a member may say who is meant
 */
export const idsInJson = (
  lines: readonly string[],
  options: IdListOptions,
): { readonly ids: readonly string[]; readonly others: OtherMembers } => {
  const names = new Set<string>()
  const ids = entriesIn(lines, options).map((entry, at) => {
    if (!isObject(entry)) return textOf(entry, at)
    const [member, another] = Object.keys(entry).filter(isMeant(options))
    if (member === undefined)
      throw broken(
        `Entry ${at + 1} has no member '${meantName(options)}'. Name it: --map ${options.by ?? 'id'}=MEMBER.`,
      )
    if (another !== undefined) throw broken(`Entry ${at + 1} has both '${member}' and '${another}'. Leave one out.`)
    for (const name of Object.keys(entry)) if (name !== member) names.add(name)
    return textOf(entry[member], at)
  })
  const [name] = decidingColumns([...names], options.ignored ?? [])
  if (name !== undefined) throw broken(decidingProblem(name))
  return { ids, others: { names: [...names] } }
}

const entriesIn = (lines: readonly string[], options: IdListOptions): readonly unknown[] => {
  const whole = parsed(lines.join('\n'))
  if (Array.isArray(whole)) return whole
  if (isObject(whole)) {
    // A page of a directory, such as `{"value": [...]}`; or the only user of a list, who may have lists of their own.
    const lists = Object.values(whole).filter((value) => Array.isArray(value))
    const [list, ...others] = lists.length > 1 ? lists.filter((each) => each.some(isObject)) : lists
    const isPage = list !== undefined && others.length === 0 && !Object.keys(whole).some(isMeant(options))
    return isPage ? list : [whole]
  }
  const rows = lines.filter((line) => line.trim() !== '').map(parsed)
  if (rows.every(isObject)) return rows
  throw broken(`This begins like JSON, and is none. ${WHAT}`)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined if it is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textOf = (value: unknown, at: number): string => {
  if (typeof value === 'string') return withoutMargins(value)
  if (Number.isSafeInteger(value)) return String(value)
  throw broken(`Entry ${at + 1} is no text. ${WHAT}`)
}

const broken = (problem: string): InvalidInput => new InvalidInput([{ field: 'ids', message: problem }])
