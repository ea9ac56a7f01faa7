import { cursorOf, type Page, type PageRequest } from '@rollcall/core'
import type { RemoteServer } from './remote-server.ts'
import type { Told } from './told.ts'
import { positionIn } from './told-events.ts'

/** A list of the server, and how to read what is in it. */
export interface RemoteList<Item> {
  readonly path: string
  /** What the list calls the place to go on from. */
  readonly from?: 'after' | 'cursor'
  readonly filter?: Readonly<Record<string, string | undefined>>
  readonly item: (told: Told) => Item
}

/** One stretch of the list. */
export const remotePage = async <Item>(
  server: RemoteServer,
  { path, from = 'cursor', filter, item }: RemoteList<Item>,
  { cursor, limit }: PageRequest,
): Promise<Page<Item>> => {
  const answer = await server.ask({ method: 'GET', path, query: { ...filter, limit, [from]: cursor } })
  const told = answer.told()
  return { items: told.list('items').map(item), next: told.has('next') ? positionIn(told, 'next') : undefined }
}

/** How many there are, as long as that is at most as many as are asked for. */
export const remoteCount = async (
  server: RemoteServer,
  list: Omit<RemoteList<null>, 'item'>,
  most: number,
): Promise<number> => {
  let count = 0
  for (let cursor: string | undefined; count < most; ) {
    const { items, next } = await remotePage(server, { ...list, item: () => null }, { cursor, limit: 200 })
    count += items.length
    if (next === undefined) break
    cursor = cursorOf(next)
  }
  return count
}
