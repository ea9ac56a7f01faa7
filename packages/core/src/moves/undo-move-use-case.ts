import { endFailing } from '../feedback/deliverability.ts'
import type { LinkCommand } from '../subscriptions/confirm-subscription-use-case.ts'
import { lastEndIn } from '../subscriptions/consent.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { confirmAndRecord, endAndRecord } from '../subscriptions/subscription-transitions.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import type { MoveResult } from './carry-out-move-use-case.ts'
import { openMove } from './move-links.ts'
import { isStillMoved, withdrawMoveMail } from './moved-subscriptions.ts'

/** Whether somebody, anybody, has sent a form since the move, and nothing else was done. */
const isOnlyAskedFor = async ({ consents }: Stores, { id, status }: Subscription): Promise<boolean> =>
  status === 'pending' && lastEndIn(await consents.list(id))?.deed === 'moved'

/** Takes back a change of address, for the reader of the old one, who has followed the link. */
export class UndoMoveUseCase extends UseCase<'signedLinks' | 'unitOfWork' | 'requests' | 'clock' | 'randomness'> {
  /**
   * What the move confirmed ends, and what it ended is confirmed; what has begun a life of its own since stays as it
   * is. Repeating it changes nothing and says so.
   * @throws {LinkNotValid} it has no valid signature, or its seven days are over
   */
  async execute({ token, source }: LinkCommand): Promise<MoveResult> {
    const { clock } = this.ports
    this.ports.signedLinks.require('undo', token)
    const undone = await this.ports.unitOfWork.run(async (stores) => {
      const move = await openMove(stores, 'undo', token, this.ports)
      if (move.undoneAt !== undefined) return false
      for (const moved of await stores.moves.ofMove(move.id)) {
        await this.ports.requests.firstOf(stores, moved.newId)
        await this.ports.requests.firstOf(stores, moved.oldId)
        const made = await stores.subscriptions.find(moved.newId)
        if (made?.status === 'confirmed' && made.episode === moved.newEpisode)
          await endAndRecord(stores, made, 'ended', source, this.ports)
        const old = await stores.subscriptions.find(moved.oldId)
        if (old && (isStillMoved(old, moved) || (await isOnlyAskedFor(stores, old)))) {
          await endFailing(stores, old.address, clock.now())
          await confirmAndRecord(stores, old, source, clock.now())
        }
        await stores.moves.unlink(moved.oldId)
      }
      await withdrawMoveMail(stores.outbox, move)
      await stores.moves.put({ ...move, undoneAt: clock.now() })
      return true
    })
    return { already: !undone }
  }
}
