import { InvalidInput } from '../errors.ts'
import { problemWithText } from '../text.ts'
import type { User } from './user.ts'

const LONGEST = 500

/**
 * The trail outlives the user, so a reason must not say who it was.
 * @throws {InvalidInput} the reason is too long, or contains the user's name or e-mail address
 */
export const parseDeletionReason = (reason: string | undefined, user: User): string | undefined => {
  if (reason === undefined) return undefined
  const problem = problemWithText(reason, LONGEST) ?? problemWithPerson(reason.toLowerCase(), user)
  if (problem !== undefined) throw new InvalidInput([{ field: 'reason', message: problem }])
  return reason
}

const problemWithPerson = (reason: string, { email, emailKey, name }: User): string | undefined => {
  const told = [email, emailKey, name].some((part) => part !== '' && reason.includes(part.toLowerCase()))
  return told ? "Leave out the user's name and e-mail address: the trail keeps the reason for ever." : undefined
}
