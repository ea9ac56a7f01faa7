import { ADMIN, OPERATOR_PREFIX } from '../access/caller.ts'
import { type Person, parseReason } from '../audit/reason.ts'
import { InvalidInput } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Provisioned } from './provisioned.ts'

/** Opaque, the same as an access token's `sub`. */
export type UserId = string & { readonly __brand: 'UserId' }

/** What ids of users and of tokens are made of. */
export const VISIBLE_ASCII = /^[!-~]{1,255}$/

/** The text as a user id, or undefined if it cannot be one. */
export const asUserId = (text: string): UserId | undefined =>
  VISIBLE_ASCII.test(text) && text !== '.' && text !== '..' && !isOperator(text) ? (text as UserId) : undefined

/** In any letter case: a reader of the trail must not take a user for an operator. */
const isOperator = (text: string): boolean => text.slice(0, OPERATOR_PREFIX.length).toLowerCase() === OPERATOR_PREFIX

/** @throws {InvalidInput} the text can never be a user id */
export const parseUserId = (text: string, field = 'id'): UserId => {
  const id = asUserId(text)
  if (id !== undefined) return id
  const message = `Use 1 to 255 visible ASCII characters, not '.' or '..', and not beginning '${OPERATOR_PREFIX}', in capitals or not.`
  throw new InvalidInput([{ field, message }])
}

/** An account. Not a subscription: a subscriber is not a user. */
export interface User {
  readonly id: UserId
  /** In the spelling that goes on the wire; `emailKey` decides which addresses are the same. */
  readonly email: string
  readonly emailKey: string
  readonly name: string
  /** Without repetition, in alphabetical order. */
  readonly roles: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Tokens that were issued up to then are refused: it was deleted and restored, or suspended and resumed. */
  readonly tokensNotBefore?: Instant | undefined
  /** Set if it is suspended, and since when: all its tokens are refused. */
  readonly suspendedAt?: Instant | undefined
  /** The day on which a token or a session of its was last taken, as its midnight (UTC). Not a change of the user. */
  readonly lastSeenAt?: Instant | undefined
  /** Set if a directory provisions it. */
  readonly provisioned?: Provisioned | undefined
}

/** Whether it has the role, and may use it. */
export const isAdministrator = ({ roles, suspendedAt }: Pick<User, 'roles' | 'suspendedAt'>): boolean =>
  roles.includes(ADMIN) && suspendedAt === undefined

type Identity = Pick<User, 'id' | 'name' | 'email' | 'emailKey' | 'provisioned'>

/** What outlives a user must hold none of it: its names, those that a directory gave it too, and its address. */
export const identityOf = ({ id, name, email, emailKey, provisioned }: Identity): Omit<Person, 'whose'> => {
  const { userName, externalId, formatted, givenName, familyName } = provisioned ?? {}
  const parts = [givenName, familyName].filter((part) => part !== undefined).join(' ')
  // Its id stays for ever anyway.
  const otherNames = [userName, externalId, formatted, parts].filter((one) => one !== undefined && one !== id)
  return { name, otherNames: otherNames as readonly string[], addresses: [email, emailKey] }
}

/**
 * The trail outlives the user, so a reason must not identify them.
 * @throws {InvalidInput} the reason is too long, or contains the user's name or e-mail address
 */
export const parseDeletionReason = (reason: string | undefined, user: Identity): string | undefined =>
  parseReason(reason, { whose: "the user's", ...identityOf(user) })
