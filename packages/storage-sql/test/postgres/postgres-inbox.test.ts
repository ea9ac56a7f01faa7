import type net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AddressHash, type FeedName, type NewRequest, Unavailable } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { POSTGRES_STATEMENTS } from '../../src/postgres/statement-channel.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const ADA = 'a'.repeat(64) as AddressHash
const aRequest = (at = 1): NewRequest => ({ at, address: ADA, asked: { kind: 'preferences', addressKey: 'ada@x' } })

const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const found: string[] = []
  const note = (text: unknown): void => void found.push(String(text))
  POSTGRES_STATEMENTS.subscribe(note)
  onTestFinished(() => void POSTGRES_STATEMENTS.unsubscribe(note))
  await work()
  POSTGRES_STATEMENTS.unsubscribe(note)
  return found
}

const stored = async (url: string): Promise<number[]> =>
  await lookAt(url, async (client) => {
    const { rows } = await client.query<{ at: string }>('SELECT at FROM sign_up_request ORDER BY id')
    return rows.map(({ at }) => Number(at))
  })

/** Until this process has noticed that connections are gone. */
const noticed = () => sleep(50)

const openThrough = async () => {
  const url = await sharedDatabase()
  const passage = await Passage.open(url)
  onTestFinished(() => passage.close())
  return { url, passage, storage: await openStorage(passage.through(url)) }
}

describe('requests that come in one turn', () => {
  it('are one statement, which is a transaction by itself, and keep their order', async () => {
    const url = await sharedDatabase()
    const { inbox } = await openStorage(url)
    const at = Array.from({ length: 100 }, (_, n) => n)
    const plain = await statementsOf(() => Promise.all(at.map((n) => inbox.append(aRequest(n), undefined))))
    expect(plain).toEqual([expect.stringContaining('INSERT INTO sign_up_request')])
    expect(await stored(url)).toEqual(at)
    const solved = await statementsOf(() =>
      Promise.all(at.map((n) => inbox.append(aRequest(n), { id: `c${n % 50}`, expiresAt: 1 }))),
    )
    expect(solved).toEqual([expect.stringContaining('INSERT INTO spent_challenge')])
    expect(await stored(url)).toEqual([...at, ...at.slice(0, 50)])
  })

  it('are all answered before it is closed, and none is taken afterwards', async () => {
    const url = await sharedDatabase()
    const { inbox, close } = await openStorage(url)
    const given = [inbox.append(aRequest(1), undefined), inbox.append(aRequest(2), undefined)]
    await close()
    expect(await Promise.all(given)).toEqual([true, true])
    await expect(inbox.append(aRequest(3), undefined)).rejects.toBeInstanceOf(Unavailable)
    expect(await stored(url)).toEqual([1, 2])
  })
})

describe('a request whose answer was lost', () => {
  it('may have come in, and its client hears that', async () => {
    const { url, passage, storage } = await openThrough()
    let doomed: net.Socket | undefined
    passage.mischief = {
      onRequest: (bytes, client) => {
        if (bytes.includes('sign_up_request')) doomed ??= client
        return true
      },
      onAnswer: (_, client) => {
        if (client !== doomed) return true
        client.resetAndDestroy()
        return false
      },
    }
    await expect(storage.inbox.append(aRequest(1), undefined)).rejects.toMatchObject({
      name: 'Unavailable',
      unsure: true,
    })
    passage.mischief = {}
    await expect.poll(() => stored(url)).toEqual([1])
    expect(await storage.inbox.append(aRequest(2), undefined)).toBe(true)
  })

  it('comes in over another connection where that is gone already', async () => {
    const { url, passage, storage } = await openThrough()
    await storage.inbox.append(aRequest(1), undefined)
    passage.hangUp(Buffer.alloc(0))
    await noticed()
    expect(await storage.inbox.append(aRequest(2), undefined)).toBe(true)
    expect(await stored(url)).toEqual([1, 2])
  })

  it('is refused at once where there is no server, with those that wait behind it', async () => {
    const { passage, storage } = await openThrough()
    await passage.close()
    await noticed()
    const given = Array.from({ length: 3_000 }, (_, n) => storage.inbox.append(aRequest(n), undefined))
    for (const outcome of await Promise.allSettled(given))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable', unsure: false } })
  })
})

describe('a feed', () => {
  const name = 'default' as FeedName

  it('is asked for once a second, and at once where this process has changed it', async () => {
    const { inbox, unitOfWork } = await openStorage(await sharedDatabase())
    const statements = await statementsOf(async () => {
      for (let n = 0; n < 5; n++) await Promise.all([inbox.feed(name), inbox.feed(name)])
    })
    expect(statements.length).toBeLessThanOrEqual(1)
    const feed = await inbox.feed(name)
    await unitOfWork.run(async ({ feeds }) => {
      if (feed) await feeds.put({ ...feed, title: 'Weekly' })
    })
    expect((await inbox.feed(name))?.title).toBe('Weekly')
    await unitOfWork.run(({ feeds }) => feeds.remove(name))
    expect(await inbox.feed(name)).toBeUndefined()
  })

  it('is what another process has made of it a second later, and one that is new there at once', async () => {
    const url = await sharedDatabase()
    const [here, there] = [await openStorage(url), await openStorage(url)]
    const other = 'other' as FeedName
    expect([(await here.inbox.feed(name))?.title, await here.inbox.feed(other)]).toEqual(['default', undefined])
    await there.unitOfWork.run(async ({ feeds }) => {
      const feed = await feeds.find(name)
      if (feed) for (const one of [name, other]) await feeds.put({ ...feed, name: one, title: 'Weekly' })
    })
    expect((await here.inbox.feed(other))?.title).toBe('Weekly')
    await expect.poll(async () => (await here.inbox.feed(name))?.title).toBe('Weekly')
  })
})
