import type { Caller } from '../access/caller.ts'
import { MalformedRequest } from '../errors.ts'
import { type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { HeldUser } from './user-store.ts'

export interface HeldUserList {
  readonly items: readonly HeldUser[]
  /** The cursor of the next page, which is the id of the last user of this one; undefined at the end. */
  readonly next: string | undefined
}

const LONGEST_ID = 255

/** Users who are deleted and can be restored: shown to who may do that. */
export class ListHeldUsersUseCase extends UseCase<'access' | 'reads', 'heldUsers'> {
  static readonly permission = 'users:restore'
  static readonly action = 'user.read'

  /**
   * In the order of their ids.
   * @throws {MalformedRequest} the cursor did not come from a list
   * @throws {InvalidInput} the limit is not valid
   */
  async execute({ cursor, limit: most }: PageRequest, caller: Caller): Promise<HeldUserList> {
    const attempt = await this.ports.access.require(caller, ListHeldUsersUseCase)
    const { limit } = stretchOf({ limit: most })
    if ((cursor?.length ?? 0) > LONGEST_ID)
      throw new MalformedRequest("This cursor is not valid. Use the 'next' of the list before, or leave it out.")
    const found = await this.ports.readers.heldUsers.list({ after: cursor, limit: limit + 1 })
    this.ports.reads.note(caller, attempt)
    const items = found.slice(0, limit)
    return { items, next: found.length > limit ? items.at(-1)?.user.id : undefined }
  }
}
