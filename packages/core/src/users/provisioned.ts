import { InvalidInput } from '../errors.ts'
import { readGiven } from '../read-all.ts'
import { parseText } from '../text.ts'

/** What a directory that provisions users says of one, beside what every user has. */
export interface Provisioned {
  /** Unique among users, whatever its letter case. */
  readonly userName: string
  /** How the directory itself knows the user. */
  readonly externalId?: string | undefined
  readonly formatted?: string | undefined
  readonly familyName?: string | undefined
  readonly givenName?: string | undefined
  /** Of the e-mail address, such as `work`. */
  readonly emailType?: string | undefined
  readonly emailPrimary?: boolean | undefined
}

const LONGEST = 255

/** Names with the same key are the same. */
export const userNameKey = (userName: string): string => userName.normalize('NFC').toLowerCase()

/** @throws {InvalidInput} a text is too long, or has characters that no name has */
export const parseProvisioned = (given: Provisioned): Provisioned => {
  const { emailPrimary, ...texts } = given
  const upTo = (longest: number, field: string) => (text: string) => parseText(field, text, longest)
  const parsed = readGiven(texts, {
    userName: (text) => {
      if (text.trim() === '') throw new InvalidInput([{ field: 'userName', message: 'Give a userName.' }])
      return parseText('userName', text, LONGEST)
    },
    externalId: upTo(LONGEST, 'externalId'),
    formatted: upTo(LONGEST, 'name.formatted'),
    familyName: upTo(LONGEST, 'name.familyName'),
    givenName: upTo(LONGEST, 'name.givenName'),
    emailType: upTo(LONGEST, 'emails.type'),
  })
  return { ...parsed, userName: given.userName, ...(emailPrimary !== undefined && { emailPrimary }) }
}
