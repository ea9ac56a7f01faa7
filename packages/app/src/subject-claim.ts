import type { Config } from './config.ts'
import type { Storage } from './database.ts'
import { StartupError } from './startup-error.ts'

/** What the database remembers of the claim that says whose a token of the identity provider is. */
export const SUBJECT_CLAIM = 'subject-claim'

/** What to do if it is another. */
export const OTHER_SUBJECT_CLAIM =
  'By another claim every user has another id, and deleted users would have access again. Set ROLLCALL_AUTH_SUBJECT_CLAIM back; to change it, begin with another database, and take users and subscriptions there with `rollcall user import` and `rollcall subscription import`.'

/** The claim that is configured, if an identity provider is. */
export const subjectClaimIn = ({ provider }: Pick<Config, 'provider'>): string | undefined =>
  provider && (provider.subjectClaim ?? 'sub')

/**
 * Sees that a database is never worked on with another claim than at first.
 * @throws {StartupError} it is another
 */
export const requireSameSubjectClaim = async (
  config: Pick<Config, 'provider'>,
  { recall, settle }: Pick<Storage, 'recall' | 'settle'>,
): Promise<void> => {
  const claim = subjectClaimIn(config)
  if (claim === undefined) return
  const known = (await recall(SUBJECT_CLAIM)) ?? (await settle(SUBJECT_CLAIM, claim))
  if (known === claim) return
  throw new StartupError(
    `ROLLCALL_AUTH_SUBJECT_CLAIM is '${claim}', but this database was begun with '${known}'. ${OTHER_SUBJECT_CLAIM}`,
  )
}
