import { Unavailable } from '../errors.ts'

/** Who else works with the database, where several releases may do so at once. */
export interface OlderInstances {
  /**
   * Whether an instance of the release before works with the database right now. True where that cannot be ruled out.
   * Instances and commands of this release do not count.
   * @throws {Unavailable} it cannot be asked right now; `message` says what to do where it never can
   */
  present(): Promise<boolean>
}

/**
 * To be called before the unit of work of what the release before would not honour, such as a suspension.
 * @throws {Unavailable} an instance of the release before is running
 */
export const requireNoOlderInstance = async ({
  olderInstances,
}: {
  readonly olderInstances?: OlderInstances | undefined
}): Promise<void> => {
  if (await olderInstances?.present()) throw new Unavailable({ message: OLDER_INSTANCE, retryAfter: RETRY_AFTER })
}

/** Milliseconds: a rolling upgrade takes about that long to replace an instance. */
const RETRY_AFTER = 30_000

const OLDER_INSTANCE =
  'An instance of the release before is running on this database, and it would not honour this. Nothing was changed; stop that instance first, then try again.'
