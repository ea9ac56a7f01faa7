import type { Feed } from '../feeds/feed.ts'
import type { MovePurpose } from '../links/link-purpose.ts'
import { feedSubscriptionsOf } from '../preferences/preferences.ts'
import { UseCase } from '../use-case.ts'
import { openMove } from './move-links.ts'
import { movable } from './request-move-use-case.ts'

export interface ShowMoveCommand {
  readonly purpose: MovePurpose
  readonly token: string
}

/** What a page needs to describe its button. */
export interface MoveSubject {
  /** It was done by this link before. */
  readonly already: boolean
  /** The feeds of the subscriptions that it is about. */
  readonly feeds: readonly Feed[]
  /** The new address, if it is not carried out yet. */
  readonly email: string | undefined
  /** The reader's language tag, if it is known. */
  readonly locale: string | undefined
}

/** Reads the subject of a link that moves, or undoes a move. Changes nothing: mail scanners follow links. */
export class ShowMoveUseCase extends UseCase<'signedLinks' | 'clock', 'feeds' | 'moves' | 'subscriptions'> {
  /** @throws {LinkNotValid} it has no valid signature, has expired or was superseded */
  async execute({ purpose, token }: ShowMoveCommand): Promise<MoveSubject> {
    const { readers, clock } = this.ports
    const move = await openMove(readers, purpose, token, this.ports)
    const anchor = await readers.subscriptions.find(move.id)
    const already = (purpose === 'move' ? move.movedAt : move.undoneAt) !== undefined
    const feeds: Feed[] = []
    if (purpose === 'move' && !already && anchor !== undefined) {
      const subscriptions = await feedSubscriptionsOf(readers, anchor.address, clock.now())
      const ids = new Set(movable({ subscriptions }).map(({ id }) => id))
      for (const { subscription, feed } of subscriptions) if (ids.has(subscription.id)) feeds.push(feed)
    }
    // Before it is carried out, it has moved none.
    for (const { oldId } of already ? [] : await readers.moves.ofMove(move.id)) {
      const old = await readers.subscriptions.find(oldId)
      const feed = old && (await readers.feeds.find(old.feed))
      if (feed) feeds.push(feed)
    }
    return { already, feeds, email: move.email, locale: anchor?.locale }
  }
}
