import { cursorOf, type Page, type PageRequest } from '@rollcall/core'
import type * as v from 'valibot'
import type { RemoteServer } from './remote-server.ts'
import { schemas } from './schemas.ts'

/** A list of the server. */
export interface RemoteList {
  readonly path: string
  /** What the list calls the place to go on from. */
  readonly from?: 'after' | 'cursor'
  readonly filter?: Readonly<Record<string, string | undefined>>
}

/** One page of the list. */
export const remotePage = async <const Schema extends v.GenericSchema>(
  server: RemoteServer,
  { path, from = 'cursor', filter }: RemoteList,
  item: Schema,
  { cursor, limit }: PageRequest,
): Promise<Page<v.InferOutput<Schema>>> =>
  await server.get(path, schemas.pageOf(item), { ...filter, limit, [from]: cursor })

/** How many there are, as long as that is at most as many as are asked for. */
export const remoteCount = async (server: RemoteServer, list: RemoteList, most: number): Promise<number> => {
  let count = 0
  for (let cursor: string | undefined; count < most; ) {
    const { items, next } = await remotePage(server, list, schemas.any, { cursor, limit: 200 })
    count += items.length
    if (next === undefined) break
    cursor = cursorOf(next)
  }
  return count
}
