import { headingOf, itemText, listText, typeText } from './http-words.ts'
import { code, inLine } from './markdown.ts'
import type { Schema } from './open-api.ts'

interface Field {
  readonly name: string
  readonly type: string
  readonly description: string
}

type Fields = readonly Field[]

/** Those of errors and events are on the pages about them. */
const ELSEWHERE = /^(?:Error|Event|InvalidInput|InternalError|Message)$|Encoded$/

/** Every record and its fields; what is as in a record before is named only. */
export const recordsText = (schemas: Readonly<Record<string, Schema>>): string => {
  const before = new Map<string, Fields>()
  const texts = Object.entries(schemas)
    .filter(([name, one]) => one.properties !== undefined && !ELSEWHERE.test(name) && listText(one) === undefined)
    .map(([name, schema]) => {
      const fields = fieldsOf(schema)
      const like = likest(fields, before)
      before.set(name, fields)
      const lead = schema.description === undefined ? '' : `${inLine(schema.description)}\n\n`
      const own = fields.filter((one) => !like?.fields.includes(one))
      const items = [...(like ? [likeText(like)] : []), ...itemsOf(own)]
      return `### ${headingOf(name)}\n\n${lead}${items.join('\n')}\n`
    })
  return texts.join('\n')
}

/** What is said of times and addresses at the head of the page. */
const IN_GENERAL = /^RFC 3339, UTC, with milliseconds\.$|^At most 254 bytes with its domain as A-labels\b.*$/

const fieldsOf = ({ properties = {}, required = [] }: Schema): Fields =>
  Object.entries(properties).map(([name, schema]) => ({
    name: required.includes(name) ? name : `${name}?`,
    type: typeText(schema),
    description: (schema.description ?? '').replace(IN_GENERAL, ''),
  }))

interface Like {
  readonly record: string
  readonly fields: Fields
  readonly whole: boolean
}

const isSame = (one: Field, other: Field): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The record that has most fields in common with this one, if a reader is spared something by it. */
const likest = (fields: Fields, before: ReadonlyMap<string, Fields>): Like | undefined => {
  const all = [...before].map(([record, others]) => {
    const common = fields.filter((one) => others.some((other) => isSame(one, other)))
    return { record, fields: common, whole: common.length === others.length }
  })
  const [best] = all.toSorted((one, other) => other.fields.length - one.fields.length)
  if (best === undefined) return undefined
  const described = best.fields.filter(({ description }) => description !== '').length
  return described > 2 || (best.whole && best.fields.length > 3) ? best : undefined
}

const likeText = ({ record, fields, whole }: Like): string => {
  const link = typeText({ $ref: record })
  return whole ? `- All of ${link}` : `- As in ${link}: ${fields.map(({ name }) => code(name)).join(', ')}`
}

/** Fields that differ in their names alone are in one line: those that are described, if they follow each other. */
const itemsOf = (fields: Fields): string[] => {
  const lines: { names: string[]; type: string; description: string }[] = []
  for (const { name, type, description } of fields) {
    const isLike = (one: (typeof lines)[number]) => one.type === type && one.description === description
    const like = description === '' ? lines.find(isLike) : lines.slice(-1).find(isLike)
    if (like === undefined) lines.push({ names: [name], type, description })
    else like.names.push(name)
  }
  return lines.map(({ names, type, description }) => itemText(names, type, description))
}
