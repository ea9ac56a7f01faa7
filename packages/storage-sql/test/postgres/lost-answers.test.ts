import type net from 'node:net'
import { Unavailable } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { putTombstone } from '../a-tombstone.ts'
import { addUser } from '../a-user-change.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const openThrough = async () => {
  const url = await sharedDatabase()
  const passage = await Passage.open(url)
  onTestFinished(() => passage.close())
  const { unitOfWork, userChanges } = await openStorage(passage.through(url))
  return { url, passage, unitOfWork, userChanges }
}

type Opened = Awaited<ReturnType<typeof openThrough>>

const WORKS: [string, (opened: Opened, id: string) => Promise<unknown>][] = [
  ['a unit of work', ({ unitOfWork }, id) => unitOfWork.run(putTombstone(id))],
  ['a change of a user', addUser],
]

const stored = (url: string) =>
  lookAt(url, async (client) => {
    const { rows } = await client.query('SELECT id FROM identity')
    return rows.map(({ id }) => id)
  })

/** From when on the server has counted: another time after each crash. */
const countedSince = (url: string) =>
  lookAt(url, async (client) => {
    const { rows } = await client.query('SELECT stats_reset::text AS since FROM pg_stat_bgwriter')
    return String(rows[0]?.since)
  })

const isCommit = (bytes: Buffer): boolean => bytes.includes('COMMIT')

describe.each(WORKS)('the answer to a commit that was lost (%s)', (name, work) => {
  it('is found out where it took place: the unit is done, once', async () => {
    const opened = await openThrough()
    const { url, passage } = opened
    let doomed: net.Socket | undefined
    let commits = 0
    passage.mischief = {
      onRequest: (bytes, client) => {
        if (isCommit(bytes)) commits++
        if (isCommit(bytes)) doomed ??= client
        return true
      },
      onAnswer: (_, client) => {
        if (client !== doomed) return true
        client.resetAndDestroy()
        return false
      },
    }
    await work(opened, name)
    expect([commits, await stored(url)]).toEqual([1, [name]])
  })

  it('is found out where it never arrived: it is tried again, and done once', async () => {
    const opened = await openThrough()
    const { url, passage } = opened
    let doomed: net.Socket | undefined
    let commits = 0
    passage.mischief = {
      onRequest: (bytes, client) => {
        if (isCommit(bytes)) commits++
        if (doomed !== undefined || !isCommit(bytes)) return true
        doomed = client
        client.resetAndDestroy()
        return false
      },
    }
    await work(opened, name)
    expect([commits, await stored(url)]).toEqual([2, [name]])
  })

  it('is not guessed where the server has forgotten: no client gets the answer that nothing was changed', async () => {
    const opened = await openThrough()
    const { url, passage } = opened
    const since = await countedSince(url)
    let doomed: net.Socket | undefined
    passage.mischief = {
      onRequest: (bytes, client) => {
        if (isCommit(bytes)) doomed ??= client
        return true
      },
      onAnswer: (bytes, client) => {
        if (doomed === undefined) return true
        if (client === doomed) client.resetAndDestroy()
        // A crash begins all counts anew. Done on the server itself, it would be seen by tests that run beside this one.
        else client.write(Buffer.from(bytes.toString('latin1').replaceAll(since, since.replace('2', '1')), 'latin1'))
        return false
      },
    }
    const error = await work(opened, name).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect([(error as Unavailable).unsure, (error as Unavailable).message]).toEqual([
      true,
      expect.stringContaining('may have been done'),
    ])
    expect(await stored(url)).toEqual([name])
  })
})

it('nothing is in doubt if it was a beginning whose answer was lost: the unit is run again', async () => {
  const { url, passage, unitOfWork } = await openThrough()
  let doomed: net.Socket | undefined
  passage.mischief = {
    onRequest: (bytes, client) => {
      if (bytes.includes('BEGIN')) doomed ??= client
      return true
    },
    onAnswer: (_, client) => {
      if (client === doomed) client.resetAndDestroy()
      return client !== doomed
    },
  }
  const mail = { kind: 'confirmation', subscriptionId: 1, messageId: 'm', createdAt: 1, notBefore: 1 } as const
  // It locks nothing, so that one could not ask what became of it.
  await unitOfWork.run(({ outbox }) => outbox.add({ ...mail, address: 'a' as never, expiresAt: undefined }))
  const { rows } = await lookAt(url, (client) => client.query('SELECT count(*)::integer AS mails FROM outbox'))
  expect([doomed === undefined, rows]).toEqual([false, [{ mails: 1 }]])
})
