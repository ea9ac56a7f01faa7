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
  const problem = problemWithText(reason, LONGEST) ?? problemWithPerson(folded(reason), user)
  if (problem !== undefined) throw new InvalidInput([{ field: 'reason', message: problem }])
  return reason
}

/** The same for every way to write the same. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

const problemWithPerson = (reason: string, { email, emailKey, name }: User): string | undefined => {
  const told = [email, emailKey, name].map(folded).some((part) => part !== '' && reason.includes(part))
  return told ? "Leave out the user's name and e-mail address: the trail keeps the reason for ever." : undefined
}
