import type { Instant } from '../instant.ts'
import type { ConsoleSession } from './console-session.ts'

const SECRET = /^[0-9a-f]{64}(?:\.(\d{1,15}))?$/

export const isSecret = (text: string): boolean => SECRET.test(text)

/**
 * What a browser has of its session. Of one that a provider began, it also says when its person logged in there, if the
 * provider told; nobody can say otherwise, because what is stored is the hash of all of it.
 */
export const secretOf = (random: string, loggedInAt: Instant | undefined): string =>
  loggedInAt === undefined ? random : `${random}.${loggedInAt}`

/** When its person last showed who they are: a provider may let a browser in without asking anybody. Undefined if nobody knows. */
export const lastLoginOf = (
  { door, createdAt }: Pick<ConsoleSession, 'door' | 'createdAt'>,
  secret: string,
): Instant | undefined => {
  if (door !== 'token') return createdAt
  const [, loggedInAt] = SECRET.exec(secret) ?? []
  return loggedInAt === undefined ? undefined : Number(loggedInAt)
}
