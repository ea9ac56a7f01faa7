import { parseReason } from '../audit/reason.ts'
import type { User } from './user.ts'

/**
 * The trail outlives the user, so a reason must not identify them.
 * @throws {InvalidInput} the reason is too long, or contains the user's name or e-mail address
 */
export const parseDeletionReason = (
  reason: string | undefined,
  { name, email, emailKey }: Pick<User, 'name' | 'email' | 'emailKey'>,
): string | undefined => parseReason(reason, { whose: "the user's", name, addresses: [email, emailKey] })
