import { SYSTEM } from '../access/caller.ts'
import { UseCase } from '../use-case.ts'

const BATCH = 200

/**
 * Writes the roles of every user into the trail: to be run after a backup was restored, and before anybody is changed. To
 * run it again does no harm.
 */
export class RecordUsersUseCase extends UseCase<'trail' | 'unitOfWork', 'users'> {
  /** How many users there are; none if a host keeps them itself. */
  async execute(): Promise<number> {
    if (this.ports.readers.users.keptByHost) return 0
    let count = 0
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after
      const page = await this.ports.unitOfWork.run(async ({ users, audit }) => {
        const found = await users.list({ after: from, limit: BATCH })
        for (const user of found.items)
          await this.ports.trail.done(audit, SYSTEM, { action: 'user.record', target: user.id }, undefined, user)
        return found
      })
      count += page.items.length
      after = page.next
    }
    return count
  }
}
