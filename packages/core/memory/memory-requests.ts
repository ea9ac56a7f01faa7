import type { NewRequest, Position, Stores, WaitingRequest } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

const MOST_COUNTED = 50_001

export const memoryRequests = (journal: Journal): Pick<Stores, 'requests'> => {
  const requests = new Table<Position, WaitingRequest>(journal)
  let lastId = 0
  const isParked = ({ parkedAt }: WaitingRequest): boolean => parkedAt !== undefined
  const about = (address: WaitingRequest['address']) => requests.rows().filter((one) => one.address === address)
  const inTurn = (): WaitingRequest[] => {
    const heldUp = new Set<WaitingRequest['address']>()
    return requests.rows().filter((one) => {
      if (isParked(one)) heldUp.add(one.address)
      return !isParked(one) && !(one.address !== undefined && heldUp.has(one.address))
    })
  }
  return {
    requests: {
      backlog: async () => {
        const waiting = inTurn()
        const [first, last] = [waiting[0], waiting.at(-1)]
        const ends = first && last && { oldest: first.id, newest: last.id, since: first.at }
        return { ends, parked: requests.rows().filter(isParked).length }
      },
      count: async () => Math.min(MOST_COUNTED, inTurn().length),
      ofAddress: async (address) => about(address),
      list: async ({ parked, ...stretch }) =>
        requests.page(stretch, (one) => parked === undefined || isParked(one) === parked),
      add: async (request: NewRequest) => {
        const id = ++lastId
        requests.set(id, { ...request, id, parkedAt: undefined, error: undefined })
      },
      take: async (limit) => inTurn().slice(0, limit),
      takeOf: async (addresses) =>
        inTurn().filter(({ address }) => address !== undefined && addresses.includes(address)),
      remove: async (ids) => {
        for (const id of ids) requests.delete(id)
      },
      removeOf: async (address) => requests.prune((one) => one.address === address),
      park: async (id, parkedAt, error) => {
        const one = requests.get(id)
        if (one) requests.set(id, { ...one, parkedAt, error })
      },
      retry: async (id) => {
        const one = requests.get(id)
        if (one === undefined || !isParked(one)) return false
        requests.set(id, { ...one, parkedAt: undefined, error: undefined })
        return true
      },
      prune: async (before, limit) =>
        requests.prune(({ parkedAt }) => parkedAt !== undefined && parkedAt < before, limit),
    },
  }
}
