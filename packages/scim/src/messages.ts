import { memberNames } from '@rollcall/core'
import { changeAll, changeAt, REMOVED, type Subject } from './changes.ts'
import type { Changes, Draft } from './draft.ts'
import { attributeName } from './filter.ts'
import { badRequest } from './scim-error.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
/** Each may change everything again. */
const MOST_OPERATIONS = 100

/** @throws {ScimError} the body is no JSON object in UTF-8, or of another schema */
const readMessage = (body: Buffer, schema: string): Readonly<Record<string, unknown>> => {
  let text = ''
  let message: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    message = JSON.parse(text)
  } catch {
    throw badRequest('invalidSyntax', 'Send a JSON object in UTF-8.')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw badRequest('invalidSyntax', 'Send a JSON object.')
  const names = memberNames(text).map(attributeName)
  const twice = names.find((name, place) => names.indexOf(name) < place)
  if (twice !== undefined) throw badRequest('invalidSyntax', `Send '${twice}' once.`)
  const members = message as Readonly<Record<string, unknown>>
  const schemas = memberIn(members, 'schemas') ?? [schema]
  const named = Array.isArray(schemas) && schemas.some((one) => String(one).toLowerCase() === schema.toLowerCase())
  if (!named) throw badRequest('invalidSyntax', `Send a message whose 'schemas' names ${schema}.`)
  return members
}

const memberIn = (members: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.entries(members).find(([key]) => attributeName(key) === name)?.[1]

/** What a POST or PUT says of a user. */
export const readUser = (body: Buffer): Changes => {
  const subject: Subject = { before: {}, changes: {} }
  changeAll(subject, readMessage(body, USER_SCHEMA), true)
  return subject.changes
}

/** The operations of a PATCH, to be applied to whatever the user is by then. */
export const readPatch = (body: Buffer): ((before: Draft) => Changes) => {
  const operations = memberIn(readMessage(body, PATCH_SCHEMA), 'operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', "Send at least one operation in 'Operations'.")
  if (operations.length > MOST_OPERATIONS)
    throw badRequest('invalidSyntax', `Send at most ${MOST_OPERATIONS} operations at once.`)
  return (before) => {
    const subject: Subject = { before, changes: {} }
    for (const operation of operations) carryOut(subject, operation)
    return subject.changes
  }
}

/** @see RFC 7644 section 3.5.2; the name of the operation in any case, as Entra ID sends it */
const carryOut = (subject: Subject, operation: unknown): void => {
  if (typeof operation !== 'object' || operation === null)
    throw badRequest('invalidSyntax', 'Send operations as objects.')
  const members = operation as Readonly<Record<string, unknown>>
  const [op, path, value] = ['op', 'path', 'value'].map((name) => memberIn(members, name))
  const kind = typeof op === 'string' ? op.toLowerCase() : ''
  subject.adds = kind === 'add'
  if (!['add', 'replace', 'remove'].includes(kind))
    throw badRequest('invalidSyntax', "Use one of these as 'op': add, replace, remove.")
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw badRequest('invalidPath', "Give 'path' as a text.")
  if (typeof path === 'string' && path !== '') {
    if (kind !== 'remove' && value === undefined) throw badRequest('invalidValue', "Give a 'value'.")
    changeAt(subject, path, kind === 'remove' ? REMOVED : (value ?? REMOVED))
    return
  }
  if (kind === 'remove') throw badRequest('noTarget', "Give the 'path' of what is to be removed.")
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('invalidValue', "Give an object of attributes as 'value', or a 'path'.")
  changeAll(subject, value, false)
}
