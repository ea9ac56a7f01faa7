import type net from 'node:net'
import { Unavailable } from '@rollcall/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPool } from '../../src/postgres/connection.ts'
import { connectionSettings } from '../../src/postgres/connection-settings.ts'
import { Connections } from '../../src/postgres/connections.ts'
import { openPostgresStorage } from '../../src/postgres/index.ts'
import { PostgresUnitOfWork } from '../../src/postgres/postgres-unit-of-work.ts'
import { PostgresUserChanges } from '../../src/postgres/postgres-user-changes.ts'
import { putTombstone } from '../a-tombstone.ts'
import { addUser } from '../a-user-change.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { poolerError, ServerMessages } from '../postgres-server/server-messages.ts'
import { sharedDatabase } from './temporary-storage.ts'

/** As PgBouncer says it, when it loses a server or has none, and as other poolers do. */
const CRASHED = poolerError('server conn crashed?')
const SAID: [string, Buffer][] = [
  ['FATAL 08P01', CRASHED],
  ['ERROR 08P01', poolerError('server conn crashed?', { severity: 'ERROR' })],
  ['FATAL 58000', poolerError('error receiving data from server', { code: '58000' })],
]

const WORKS: [string, (opened: Opened, id: string) => Promise<unknown>][] = [
  ['a unit of work', ({ unitOfWork }, id) => unitOfWork.run(putTombstone(id))],
  ['a change of a user', addUser],
]

const openPassage = async () => {
  const url = await sharedDatabase()
  const passage = await Passage.open(url)
  onTestFinished(() => passage.close())
  return { url, passage }
}

/** A way to the database, and units that go by it; all of it is gone after the work. */
const withPassage = async (url: string, work: (passage: Passage, open: Opened) => Promise<unknown>): Promise<void> => {
  const passage = await Passage.open(url)
  const opened = open(passage.through(url))
  try {
    await work(passage, opened)
  } finally {
    await opened.connections.close()
    await passage.close()
  }
}

type Opened = ReturnType<typeof open>

const open = (url: string) => {
  const connections = new Connections(openPool(connectionSettings(url), () => undefined))
  const userChanges = new PostgresUserChanges(connections)
  return { connections, userChanges, unitOfWork: new PostgresUnitOfWork(connections) }
}

const connect = (url: string) => {
  const opened = open(url)
  onTestFinished(() => opened.connections.close())
  return opened
}

/** The first to connect hears so many messages of the server, and then this, and nothing more. */
const breakOff = (passage: Passage, after: number, said: Buffer): { readonly happened: boolean } => {
  const state = { happened: false }
  const messages = new ServerMessages()
  let doomed: net.Socket | undefined
  let count = 0
  passage.mischief = {
    onAnswer: (bytes, client) => {
      doomed ??= client
      if (client !== doomed) return true
      for (const message of state.happened ? [] : messages.take(bytes)) {
        if (count++ < after) client.write(message)
        else {
          state.happened = true
          client.end(said)
          break
        }
      }
      return false
    },
  }
  return state
}

const stored = (url: string) =>
  lookAt(url, async (client) => {
    const { rows } = await client.query('SELECT id FROM identity')
    return rows.map(({ id }) => id)
  })

const isCommit = (bytes: Buffer): boolean => bytes.includes('COMMIT')

describe.each(WORKS)('a unit (%s)', (_, work) => {
  it.each(SAID)(
    'is done once or not at all, whichever message of the server %s takes the place of',
    async (_said, said) => {
      const url = await sharedDatabase()
      const done: string[] = []
      let refusals = 0
      for (let after = 0, happened = true; happened; after++)
        await withPassage(url, async (passage, opened) => {
          const broken = breakOff(passage, after, said)
          const id = `after-${after}`
          try {
            await work(opened, id)
            done.push(id)
          } catch (error) {
            expect([after, error]).toEqual([after, expect.any(Unavailable)])
            expect([after, (error as Unavailable).unsure]).toEqual([after, false])
            refusals++
          }
          happened = broken.happened
        })
      // Before there was a session, and at the end.
      expect(refusals).toBeGreaterThan(10)
      expect(done.length).toBeGreaterThan(3)
      expect((await stored(url)).sort()).toEqual(done.sort())
    },
  )

  it('is done, whichever message of the server the end of its connection takes the place of', async () => {
    const url = await sharedDatabase()
    const ended = poolerError('terminating connection due to administrator command', { code: '57P01' })
    const done: string[] = []
    for (let after = 0, happened = true; happened; after++)
      await withPassage(url, async (passage, opened) => {
        const broken = breakOff(passage, after, ended)
        await work(opened, `after-${after}`)
        done.push(`after-${after}`)
        happened = broken.happened
      })
    expect(done.length).toBeGreaterThan(20)
    expect((await stored(url)).sort()).toEqual(done.sort())
  })

  it.each<[string, (client: net.Socket) => unknown]>([
    ['answered by a pooler', (client) => client.end(CRASHED)],
    ['cut off', (client) => client.resetAndDestroy()],
  ])('may have been done where its commit was %s, and no connection is to be had to ask', async (_how, end) => {
    const { url, passage } = await openPassage()
    const opened = connect(passage.through(url))
    let doomed: net.Socket | undefined
    passage.mischief = {
      onRequest: (bytes, client) => {
        if (isCommit(bytes)) doomed ??= client
        return true
      },
      onAnswer: (_bytes, client) => {
        if (doomed === undefined) return true
        if (client === doomed) end(client)
        else client.end(poolerError('server login has been failing (server_login_retry)'))
        return false
      },
    }
    const error = await work(opened, 'in doubt').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect((error as Unavailable).unsure).toBe(true)
    const next = await work(opened, 'next').catch((reason: unknown) => reason)
    expect(next).toBeInstanceOf(Unavailable)
    expect((next as Unavailable).unsure).toBe(false)
    passage.mischief = {}
    await work(opened, 'after')
    expect((await stored(url)).sort()).toEqual(['after', 'in doubt'])
  })
})

describe('a pool whose connections are all lost', () => {
  it('lets the next unit go on, however many they are and however late that is seen', async () => {
    const { url, passage } = await openPassage()
    const { unitOfWork } = connect(passage.through(url))
    const put = (id: string) => unitOfWork.run(putTombstone(id))
    const lost = new Set<net.Socket>()
    passage.mischief = { onRequest: (_, client) => Boolean(lost.add(client)) }
    await Promise.all(['1', '2', '3', '4', '5', '6', '7', '8'].map(put))
    expect(lost.size).toBeGreaterThan(5)
    // Each is closed when it is used again, not earlier.
    passage.mischief = {
      onRequest: (_, client) => {
        if (lost.has(client)) client.resetAndDestroy()
        return !lost.has(client)
      },
    }
    await put('9')
    expect(await stored(url)).toHaveLength(9)
  })
})

describe('a statement by itself', () => {
  it.each(SAID.slice(0, 2))('has its answer over another connection, or storage is away: %s', async (_, said) => {
    const url = await sharedDatabase()
    const found = new Set<string>()
    for (let after = 0, happened = true; happened; after++)
      await withPassage(url, async (passage, { connections }) => {
        const broken = breakOff(passage, after, said)
        const asked = connections.query({ text: 'SELECT 1 AS one' }).then(
          ({ rows }) => JSON.stringify(rows),
          (error: unknown) => (error instanceof Unavailable ? 'Unavailable' : String(error)),
        )
        found.add(await asked)
        happened = broken.happened
      })
    expect(found).toEqual(new Set(['Unavailable', '[{"one":1}]']))
  })
})

describe('whatever keeps a connection from being made', () => {
  it.each<[string, Buffer | string]>([
    ...[
      ['08P01', 'no more connections allowed (max_client_conn)'],
      ['08P01', 'client_login_timeout (server down)'],
      ['08P01', 'query_wait_timeout'],
      ['08P01', 'server login has been failing, try again later (server_login_retry)'],
      ['28P01', 'password authentication failed for user "rollcall"'],
      ['3D000', 'database "rollcall" does not exist'],
      ['42501', 'permission denied for database "rollcall"'],
      ['53300', 'sorry, too many clients already'],
      ['55000', 'database "rollcall" is not currently accepting connections'],
      ['57P03', 'the database system is starting up'],
      ['58000', 'could not get connection from the pool'],
      ['F0000', 'bouncer config error'],
      ['XX000', 'Tenant or user not found'],
      ['ZZZZZ', 'a code of its own'],
    ].map(([code = '', message = '']): [string, Buffer] => [`${code} ${message}`, poolerError(message, { code })]),
    ['what is no answer of the protocol', 'HTTP/1.0 503 Service Unavailable\r\n\r\n'],
  ])('is storage that is away: %s', async (_, said) => {
    const { url, passage } = await openPassage()
    passage.mischief = {
      onAnswer: (_bytes, client) => {
        client.end(said)
        return false
      },
    }
    const opened = connect(passage.through(url))
    const { connections } = opened
    for (const [, work] of WORKS) await expect(work(opened, 'a')).rejects.toBeInstanceOf(Unavailable)
    await expect(connections.query({ text: 'SELECT 1' })).rejects.toBeInstanceOf(Unavailable)
    passage.mischief = {}
    for (const [name, work] of WORKS) await work(opened, name)
  })
})

describe('a storage that is opened', () => {
  it('is not usable, and says what the pooler said', async () => {
    const { url, passage } = await openPassage()
    passage.mischief = {
      onAnswer: (_bytes, client) => {
        client.end(poolerError('no such database: rollcall'))
        return false
      },
    }
    const opening = openPostgresStorage({ url: passage.through(url) })
    await expect(opening).rejects.toMatchObject({ name: 'StorageNotUsable', problem: 'not-accessible' })
    await expect(opening).rejects.toThrow(/pooler.*no such database: rollcall/)
  })

  it('reports idle connections that a pooler has closed', async () => {
    const { url, passage } = await openPassage()
    const onConnectionLoss = vi.fn()
    const storage = await openPostgresStorage({ url: passage.through(url), onConnectionLoss })
    onTestFinished(() => storage.close())
    passage.hangUp(poolerError('admin forced disconnect'))
    await vi.waitFor(() => expect(onConnectionLoss).toHaveBeenCalled(), 600_000)
    expect(await storage.readers.outbox.health()).toMatchObject({ parked: false })
  })
})
