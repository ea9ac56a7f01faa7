import { hash } from 'node:crypto'
import type { User } from '@rollcall/core'
import { draftOf } from './draft.ts'
import { attributeName } from './filter.ts'
import { USER_SCHEMA } from './messages.ts'
import { badRequest } from './scim-error.ts'

type Members = Readonly<Record<string, unknown>>

/** A user in the form of SCIM, without what is only said of its record. */
const stateOf = (user: User): Members => {
  const { userName, externalId, displayName, formatted, familyName, givenName, active, ...mail } = draftOf(user)
  const name = { formatted, familyName, givenName }
  return {
    schemas: [USER_SCHEMA],
    id: user.id,
    externalId,
    userName,
    displayName,
    name: Object.values(name).some((part) => part !== undefined) ? name : undefined,
    emails: [{ value: mail.email, type: mail.emailType, primary: mail.emailPrimary }],
    active,
    roles: user.roles.length > 0 ? user.roles.map((value) => ({ value })) : undefined,
  }
}

const tagOf = (representation: string): string => `"${hash('sha256', representation, 'base64url').slice(0, 27)}"`

/** The entity tag of a user: it changes with everything that SCIM shows of it, and with every change of the rest. */
export const versionOf = (user: User): string => tagOf(JSON.stringify([stateOf(user), user.updatedAt]))

export const locationOf = (base: string, user: User): string => `${base}/Users/${encodeURIComponent(user.id)}`

export const userRecord = (user: User, base: string): Members => ({
  ...stateOf(user),
  meta: {
    resourceType: 'User',
    created: new Date(user.createdAt).toISOString(),
    lastModified: new Date(user.updatedAt).toISOString(),
    location: locationOf(base, user),
    version: versionOf(user),
  },
})

/** Without the parts that a request did not ask for. */
type Projection = (record: Members) => Members

/**
 * @throws {ScimError} both are given
 * @see RFC 7644 section 3.9
 */
export const projectionOf = (query: URLSearchParams): Projection => {
  const [wanted, unwanted] = [namesIn(query.get('attributes')), namesIn(query.get('excludedAttributes'))]
  if (wanted !== undefined && unwanted !== undefined)
    throw badRequest('invalidSyntax', "Give 'attributes' or 'excludedAttributes', not both.")
  if (wanted !== undefined)
    return (record) => filtered(record, (name) => ALWAYS.has(name) || wanted.some((one) => includes(one, name)))
  if (unwanted !== undefined)
    return (record) => filtered(record, (name) => ALWAYS.has(name) || !unwanted.includes(name))
  return (record) => record
}

const ALWAYS = new Set(['schemas', 'id'])

/** Asking for a part asks for its path, and asking for the whole for every part. */
const includes = (wanted: string, name: string): boolean =>
  wanted === name || wanted.startsWith(`${name}.`) || name.startsWith(`${wanted}.`)

const namesIn = (list: string | null): readonly string[] | undefined =>
  list === null || list.trim() === '' ? undefined : list.split(',').map(attributeName)

const filtered = (record: Members, keeps: (path: string) => boolean, above = ''): Members =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const path = `${above}${name.toLowerCase()}`
      return keeps(path) ? [[name, partsOf(value, keeps, `${path}.`)]] : []
    }),
  )

const partsOf = (value: unknown, keeps: (path: string) => boolean, above: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => partsOf(one, keeps, above))
  return typeof value === 'object' && value !== null ? filtered(value as Members, keeps, above) : value
}

/**
 * Whether one of the entity tags in an `If-Match` or `If-None-Match` is that of this state. A weak tag counts as well: SCIM
 * shows versions as such.
 */
export const matches = (field: string, version: string): boolean =>
  field.trim() === '*' || field.split(',').some((tag) => tag.trim().replace(/^W\//, '') === version)
