import { DomainError, type Precondition, PreconditionFailed } from '@rollcall/core'
import type { RemoteServer } from './remote-server.ts'
import type { Told } from './told.ts'

/** No record has it. */
const IMPOSSIBLE = '"none"'

/**
 * Holds a condition against the record as it is, and makes it one that the server holds it to: the entity tag of what
 * was looked at. Undefined where there is no condition.
 * @throws {PreconditionFailed} it does not hold
 */
export const conditionOn = async <T>(
  server: RemoteServer,
  path: string,
  read: (told: Told) => T,
  precondition: Precondition<T> | undefined,
): Promise<string | undefined> => {
  if (precondition === undefined) return undefined
  try {
    const answer = await server.ask({ method: 'GET', path })
    if (!precondition(read(answer.told()))) throw new PreconditionFailed()
    return answer.entityTag ?? IMPOSSIBLE
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof PreconditionFailed) throw error
    // Who may not change the record may be told other things than who may not see it: the change itself says it.
    return IMPOSSIBLE
  }
}
