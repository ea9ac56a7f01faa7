import { addressKey, type Changes, type Draft } from './draft.ts'
import { asFlag, attributeName, type Condition, parseFilter, withoutSchema } from './filter.ts'
import { badRequest } from './scim-error.ts'

/** Where a change goes: `attribute[filter].part`, the names in lower case. */
interface Target {
  readonly attribute: string
  readonly filter: readonly Condition[] | undefined
  readonly part: string | undefined
}

/** What is known of the user, and what has been said so far. */
export interface Subject {
  readonly before: Draft
  readonly changes: Changes
  /** Whether addresses come to those that are there: another than the one that is kept is passed over then. */
  adds?: boolean
}

export const REMOVED = Symbol('removed')

/** Of the core schema, or of the enterprise extension without its URN, and not kept. */
const NOT_KEPT = new Set([
  ...['nickname', 'profileurl', 'title', 'usertype', 'preferredlanguage', 'locale', 'timezone', 'password'],
  ...['phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'x509certificates', 'schemas'],
  ...['employeenumber', 'costcenter', 'organization', 'division', 'department', 'manager'],
])
/** Read only, and sent back as they were got. */
const ECHOED = new Set(['id', 'meta', 'groups'])
const TEXTS: ReadonlyMap<string, 'displayName' | 'externalId' | 'userName'> = new Map([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
])
const PARTS_OF_NAME: ReadonlyMap<string, 'familyName' | 'formatted' | 'givenName'> = new Map([
  ['formatted', 'formatted'],
  ['familyname', 'familyName'],
  ['givenname', 'givenName'],
])

const PATH = /^([a-z$][\w$-]*)(?:\[((?:"(?:[^"\\]|\\.)*"|[^"\]])*)\])?(?:\.([a-z$][\w$-]*))?$/i

/** Undefined for an attribute of an extension: none is kept. */
const targetOf = (path: string): Target | undefined => {
  const within = withoutSchema(path)
  if (/^urn:/i.test(within)) return undefined
  const [, attribute, filter, part] = PATH.exec(within) ?? []
  if (attribute === undefined) throw badRequest('invalidPath', `'${shown(path)}' is no path of an attribute.`)
  return {
    attribute: attribute.toLowerCase(),
    filter: filter === undefined ? undefined : parseFilter(filter),
    part: part?.toLowerCase(),
  }
}

const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/**
 * Changes what is at the path, or takes it away (`REMOVED`).
 * @throws {ScimError}
 */
export const changeAt = (subject: Subject, path: string, value: unknown): void => {
  const target = targetOf(path)
  if (target === undefined || NOT_KEPT.has(target.attribute)) return
  if (target.attribute === 'roles' || ECHOED.has(target.attribute))
    throw badRequest('mutability', notWritable(target.attribute))
  change(subject, target, value, path)
}

const notWritable = (attribute: string): string =>
  attribute === 'roles'
    ? "Roles are given in Rollcall, and never over SCIM: take 'roles' out of the mapping."
    : `'${attribute}' cannot be written.`

/**
 * Changes every attribute that the object has. What a directory only sends back is passed over. If it is a whole user,
 * so is everything that is not kept, and what is empty is as if it were not there.
 * @throws {ScimError}
 * @see RFC 7643 section 2.5
 */
export const changeAll = (subject: Subject, given: object, isWholeUser: boolean): void => {
  const names = new Set<string>()
  for (const [path, value] of Object.entries(given)) {
    const name = attributeName(path)
    if (names.has(name)) throw badRequest('invalidSyntax', `Send '${shown(path)}' once.`)
    names.add(name)
    if (ECHOED.has(name)) continue
    if (!isWholeUser) changeAt(subject, path, value ?? REMOVED)
    else if (
      isKept(name) &&
      value !== null &&
      value !== '' &&
      !(name === 'emails' && Array.isArray(value) && value.every(hasNoValue))
    )
      change(subject, { attribute: name, filter: undefined, part: undefined }, value, path)
  }
}

const isKept = (attribute: string): boolean => TEXTS.has(attribute) || ['active', 'name', 'emails'].includes(attribute)

const change = (subject: Subject, { attribute, filter, part }: Target, value: unknown, path: string): void => {
  const { changes } = subject
  const isMany = attribute === 'emails'
  if (!isKept(attribute)) throw badRequest('invalidPath', `There is no attribute '${shown(path)}'. Check its name.`)
  if ((filter !== undefined && !isMany) || (part !== undefined && !isMany && attribute !== 'name'))
    throw badRequest('invalidPath', `'${shown(path)}' has no parts to choose from.`)
  const text = TEXTS.get(attribute)
  if (text !== undefined) {
    if (text === 'userName' && value === REMOVED) throw badRequest('invalidValue', 'A user needs a userName.')
    changes[text] = readText(value, path)
  } else if (attribute === 'active') {
    if (value === REMOVED) throw badRequest('invalidValue', "Set 'active' to true or false.")
    changes.active = asFlag(value, 'active')
  } else if (isMany) changeEmail(subject, filter, part, value)
  else changeName(changes, part, value)
}

/** Empty is absent. */
const readText = (value: unknown, path: string): string | undefined => {
  if (value === REMOVED || value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw badRequest('invalidValue', `Give a text for '${shown(path)}'.`)
}

const changeName = (changes: Changes, part: string | undefined, value: unknown): void => {
  const nothing = Object.fromEntries([...PARTS_OF_NAME.keys()].map((name) => [name, REMOVED]))
  const given = part !== undefined ? { [part]: value } : value === REMOVED ? nothing : objectOf(value, 'name')
  for (const [name, text] of Object.entries(given)) {
    const known = PARTS_OF_NAME.get(name.toLowerCase())
    if (known !== undefined) changes[known] = readText(text, `name.${name}`)
  }
}

const objectOf = (value: unknown, name: string): object => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw badRequest('invalidValue', `Give an object for '${name}'.`)
}

const changeEmail = (
  { before, changes, adds = false }: Subject,
  filter: readonly Condition[] | undefined,
  part: string | undefined,
  value: unknown,
): void => {
  const current = { ...before, ...changes }
  if (filter !== undefined && !meansTheOne(current, filter)) {
    if (adds || value === REMOVED) return
    // RFC 7644 section 3.5.2.3
    throw badRequest(
      'noTarget',
      "The user has no such address: one is kept, the primary one or that of 'work'. Take others out of the mapping.",
    )
  }
  if (value === REMOVED) {
    if (part === undefined || part === 'value')
      throw badRequest('invalidValue', 'A user needs an e-mail address: replace it by another.')
    if (part === 'type') changes.emailType = undefined
    else if (part === 'primary') changes.emailPrimary = undefined
  } else if (part === undefined) {
    const given = theOneOf(Array.isArray(value) ? value : [value])
    if (adds && filter === undefined && !comesBefore(given, current)) return
    const [address, type, primary] = ['value', 'type', 'primary'].map((name) => memberOf(given, name))
    changes.email = readAddress(address)
    changes.emailType = readText(type, 'emails.type')
    changes.emailPrimary = primary === undefined || primary === null ? undefined : asFlag(primary, 'emails.primary')
  } else if (part === 'value') {
    changes.email = readAddress(value)
    for (const { attribute, value: said } of filter ?? []) {
      if (attribute === 'type') changes.emailType = String(said)
      else if (attribute === 'primary') changes.emailPrimary = asFlag(said, 'emails.primary')
    }
  } else if (part === 'type') changes.emailType = readText(value, 'emails.type')
  else if (part === 'primary') changes.emailPrimary = asFlag(value, 'emails.primary')
}

const readAddress = (value: unknown): string => {
  const address = readText(value, 'emails.value')
  if (address === undefined) throw badRequest('invalidValue', 'A user needs an e-mail address.')
  return address
}

/**
 * Whether the address that is kept is meant. It counts as that of work and as the primary one, whatever else it is called:
 * Entra ID replaces those whether they are there or not.
 */
const meansTheOne = ({ email, emailType, emailPrimary = true }: Draft, filter: readonly Condition[]): boolean =>
  filter.every(({ attribute, value }) => {
    const text = String(value).toLowerCase()
    if (attribute === 'type') return text === 'work' || text === emailType?.toLowerCase()
    if (attribute === 'primary') return asFlag(value, 'emails.primary') || !emailPrimary
    if (attribute === 'value') return addressKey(text) === addressKey(email)
    throw badRequest('invalidFilter', 'Choose an address by its type, primary or value.')
  })

const PRIMARY = 2

/** The primary address comes before that of work, and that before all others. */
const rankOf = (address: object): number => {
  const says = (value: unknown, text: string) => String(value).toLowerCase() === text
  const [primary, type] = [memberOf(address, 'primary'), memberOf(address, 'type')]
  return says(primary, 'true') ? PRIMARY : says(type, 'work') ? 1 : 0
}

/** Whether it takes the place of the one that is kept: of the same rank only the new primary one does, or the same one. */
const comesBefore = (address: object, { email, emailPrimary: primary, emailType: type }: Draft): boolean => {
  const [given, kept] = [rankOf(address), rankOf({ primary, type })]
  const isSame = addressKey(String(memberOf(address, 'value'))) === addressKey(email)
  return given > kept || (given === kept && (given === PRIMARY || isSame))
}

/** An address that a directory does not know is sent as one that is empty. */
const hasNoValue = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && ['', null, undefined].some((none) => memberOf(one, 'value') === none)

/** The first of the highest rank that is not empty. */
const theOneOf = (given: readonly unknown[]): object => {
  const objects = given.map((each) => objectOf(each, 'emails')).filter((each) => !hasNoValue(each))
  const [one] = objects.toSorted((a, b) => rankOf(b) - rankOf(a))
  if (one === undefined) throw badRequest('invalidValue', 'A user needs an e-mail address.')
  return one
}

/** Names are compared in any case. */
const memberOf = (given: object, name: string): unknown =>
  Object.entries(given).find(([key]) => key.toLowerCase() === name)?.[1]
