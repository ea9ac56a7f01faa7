import { memberNames } from '../member-names.ts'
import type { BrokenRow, FieldNames, FileRow, RowReading } from './record-formats.ts'
import { isBlank, type Line, rowsOf, textLines } from './text-lines.ts'

/** One JSON object a line. */
export const readNdjson = async (reading: RowReading): Promise<AsyncIterable<Iterable<FileRow | BrokenRow>>> => {
  const lines = textLines(reading.body)
  // What keeps the file from being read at all shows in its first line.
  const { value: first = [] } = await lines.next()
  const rowOf = ndjsonRowReader(reading.fields, reading.names)
  return rowsOf(first, lines, { take: (stretch) => rowsIn(stretch, rowOf) })
}

function* rowsIn(lines: readonly Line[], rowOf: (line: Line) => FileRow | BrokenRow): Generator<FileRow | BrokenRow> {
  for (const line of lines) if (!isBlank(line)) yield rowOf(line)
}

const NO_OBJECT = 'This row is not a JSON object. Give one whole object a line.'

/** Reads lines as JSON objects, and takes out of each the fields that are wanted. */
const ndjsonRowReader = (fields: readonly string[], called: FieldNames): ((line: Line) => FileRow | BrokenRow) => {
  const wanted = fields.map((field) => [field, called[field] ?? field] as const)
  const names = new Set(wanted.map(([, name]) => name))
  const mention = new RegExp(`(?:${wanted.map(([, name]) => literal(JSON.stringify(name))).join('|')})[\\t ]*:`, 'g')
  return ({ number: line, text, problem }) => {
    const object = problem === undefined ? objectIn(text) : undefined
    if (object === undefined) return { line, problem: problem ?? NO_OBJECT }
    const found: Record<string, unknown> = {}
    let count = 0
    for (const [field, name] of wanted) {
      if (!Object.hasOwn(object, name)) {
        if (isWithin(object, name)) return { line, problem: withinAnother(name) }
        continue
      }
      found[field] = object[name]
      count++
    }
    // To go through all names costs more than to parse the row: most rows need not.
    const mayRepeat = text.includes('\\u') || text.match(mention)?.length !== count
    const repeated = mayRepeat ? repeatedOf(text, wanted) : undefined
    if (repeated !== undefined) return { line, problem: `This row has '${repeated}' more than once. Give it once.` }
    return { line, fields: found, others: othersIn(object, names) }
  }
}

/** Whether a name is that of a member of a member, as reports write it. */
const isWithin = (object: Record<string, unknown>, name: string): boolean => {
  const [outer = ''] = name.split('.', 1)
  const value = outer !== name && Object.hasOwn(object, outer) ? object[outer] : undefined
  return typeof value === 'object' && value !== null
}

const withinAnother = (name: string): string =>
  `Here '${name}' is a member of another member, where no field is read. Give it a name of its own in each object, and map that.`

const othersIn = (object: Record<string, unknown>, wanted: ReadonlySet<string>): FileRow['others'] =>
  Object.entries(object).filter(([name]) => !wanted.has(name))

const objectIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const repeatedOf = (text: string, wanted: readonly (readonly [string, string])[]): string | undefined => {
  const names = memberNames(text)
  return wanted.find(([, name]) => names.indexOf(name) !== names.lastIndexOf(name))?.[1]
}
