import type { AddressMove, MovedSubscription, Stores, SubscriptionId } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryMoves = (journal: Journal): Pick<Stores, 'moves'> => {
  const moves = new Table<SubscriptionId, AddressMove>(journal)
  const moved = new Table<SubscriptionId, MovedSubscription>(journal)
  const byOldId = (rows: MovedSubscription[]) => rows.sort((a, b) => a.oldId - b.oldId)

  return {
    moves: {
      find: async (id) => moves.get(id),
      ofAddress: async (address) => moves.rows().find((move) => move.address === address),
      toAddress: async (address) =>
        moves
          .rows()
          .filter(({ newAddress, movedAt, undoneAt }) => newAddress === address && movedAt && undoneAt === undefined)
          .sort((a, b) => b.expiresAt - a.expiresAt)[0],
      askedOf: async (address, limit) =>
        moves
          .rows()
          .filter(({ newAddress, movedAt }) => newAddress === address && movedAt === undefined)
          .sort((a, b) => a.expiresAt - b.expiresAt || a.id - b.id)
          .slice(0, limit),
      movedFrom: async (oldIds) => byOldId(moved.rows().filter(({ oldId }) => oldIds.includes(oldId))),
      movedTo: async (id) => byOldId(moved.rows().filter(({ newId }) => newId === id)),
      ofMove: async (id) => byOldId(moved.rows().filter(({ move }) => move === id)),
      put: async (move) => moves.set(move.id, move),
      remove: async (id) => moves.delete(id),
      over: async (now, limit) =>
        moves
          .rows()
          .filter(({ expiresAt }) => expiresAt <= now)
          .sort((a, b) => a.expiresAt - b.expiresAt)
          .slice(0, limit),
      link: async (one) => moved.set(one.oldId, one),
      unlink: async (oldId) => moved.delete(oldId),
      touches: async (id) =>
        moves.get(id) !== undefined || moved.rows().some(({ oldId, newId }) => oldId === id || newId === id),
    },
  }
}
