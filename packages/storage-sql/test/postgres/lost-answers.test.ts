import type net from 'node:net'
import { type Stores, Unavailable } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { putAlone, putShared } from '../a-tombstone.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const openThrough = async () => {
  const url = await sharedDatabase()
  const passage = await Passage.open(url)
  onTestFinished(() => passage.close())
  const { unitOfWork, client } = await openStorage(passage.through(url))
  return { url, passage, unitOfWork, client }
}

/**
 * By itself, which is begun as if it might share; and as one that shares its transaction. With how often it runs if all
 * goes well; if not, it is run by itself.
 */
const WORKS: [string, (stores: Stores) => Promise<unknown>, number][] = [
  ['alone', putAlone('alone'), 2],
  ['shared', putShared('shared'), 1],
]

const stored = (url: string) =>
  lookAt(url, async (client) => {
    const { rows } = await client.query('SELECT id FROM identity')
    return rows.map(({ id }) => id)
  })

// In its own words, the first time that a connection says it.
/** From when on the server has counted: another time after each crash. */
const countedSince = (url: string) =>
  lookAt(url, async (client) => {
    const { rows } = await client.query('SELECT stats_reset::text AS since FROM pg_stat_bgwriter')
    return String(rows[0]?.since)
  })

const isCommit = (bytes: Buffer): boolean => bytes.includes('COMMIT')

describe.each(WORKS)('the answer to a commit that was lost (%s)', (name, work, runsOnce) => {
  it('is found out where it took place: the unit is done, once', async () => {
    const { url, passage, unitOfWork } = await openThrough()
    let doomed: net.Socket | undefined
    let runs = 0
    passage.mischief = {
      onRequest: (bytes, client) => {
        if (isCommit(bytes)) doomed ??= client
        return true
      },
      onAnswer: (_, client) => {
        if (client !== doomed) return true
        client.resetAndDestroy()
        return false
      },
    }
    await unitOfWork.run((stores) => {
      runs++
      return work(stores)
    })
    expect([doomed === undefined, runs, await stored(url)]).toEqual([false, runsOnce, [name]])
  })

  it('is found out where it never arrived: the unit is run again, and done once', async () => {
    const { url, passage, unitOfWork } = await openThrough()
    let doomed: net.Socket | undefined
    let runs = 0
    passage.mischief = {
      onRequest: (bytes, client) => {
        if (doomed !== undefined || !isCommit(bytes)) return true
        doomed = client
        client.resetAndDestroy()
        return false
      },
    }
    await unitOfWork.run((stores) => {
      runs++
      return work(stores)
    })
    expect([runs, await stored(url)]).toEqual([runsOnce + 1, [name]])
  })

  it('is not guessed where the server has forgotten: no client gets the answer that nothing was changed', async () => {
    const { url, passage, unitOfWork } = await openThrough()
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
    const error = await unitOfWork.run(work).catch((reason: unknown) => reason)
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
