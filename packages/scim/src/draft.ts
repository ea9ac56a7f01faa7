import { asEmailAddress, type Provisioned, type User } from '@rollcall/core'
import { nodeDomainNames } from '@rollcall/platform-node'
import { badRequest } from './scim-error.ts'

/** A user as SCIM sees it. Of the addresses in `emails` one is kept. */
export interface Draft extends Partial<Provisioned> {
  readonly displayName?: string | undefined
  readonly email?: string | undefined
  readonly active?: boolean | undefined
}

/** What a request says; undefined if it takes something away. */
export type Changes = { -readonly [Key in keyof Draft]: Draft[Key] }

/** A user whom no directory provisions yet is called by its e-mail address. */
export const draftOf = ({ email, name, provisioned, suspendedAt }: User): Draft => ({
  ...(provisioned ?? { userName: email, emailType: 'work', emailPrimary: true }),
  displayName: name || undefined,
  email,
  active: suspendedAt === undefined,
})

const nameOf = ({ formatted, givenName, familyName }: Draft): string =>
  formatted ?? [givenName, familyName].filter((part) => part !== undefined).join(' ')

/** By it addresses are compared; undefined if the text is none. */
export const addressKey = (text = ''): string | undefined => asEmailAddress(text, nodeDomainNames)?.key

/** What is to be stored. */
export interface Settled {
  readonly email: string
  readonly name: string
  readonly provisioned: Provisioned
  /** Undefined if it stays as it is. */
  readonly active: boolean | undefined
}

/**
 * The user after the changes. A display name that was made of the parts of the name follows them, and an address that is
 * the userName follows that as long as it is an address, and nobody gives another.
 * @throws {ScimError} something is missing
 */
export const settle = (before: Draft, changes: Changes): Settled => {
  const after = { ...before, ...changes }
  const { userName } = after
  if (userName === undefined) throw badRequest('invalidValue', 'Give the user a userName.')
  const followsName = !('displayName' in changes) && (before.displayName ?? '') === nameOf(before)
  const isUserName = addressKey(before.email) === addressKey(before.userName)
  const followsUserName = isUserName && 'userName' in changes && !('email' in changes)
  const email = followsUserName && addressKey(userName) !== undefined ? userName : after.email
  if (email === undefined)
    throw badRequest('invalidValue', "Give the user's e-mail address in 'emails', or as its userName.")
  const { displayName, email: _, active, ...given } = after
  return {
    email,
    name: (followsName ? nameOf(after) : displayName) ?? '',
    provisioned: { ...withoutAbsent(given), userName },
    active,
  }
}

const withoutAbsent = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
