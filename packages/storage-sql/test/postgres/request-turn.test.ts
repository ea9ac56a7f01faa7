import type { AddressHash, NewRequest, SubscriptionId } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { isServed, openPostgresStorage } from '../../src/postgres/index.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { aSubscription } from './changes-of-users.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const ADA = 'a'.repeat(64) as AddressHash
const ID = 7 as SubscriptionId
const REQUEST: NewRequest = { at: 1, address: ADA, asked: { kind: 'preferences', addressKey: 'ada@x' } }
const IDENTITY = { feed: 'default', addressKey: 'ada@x', fingerprint: 'f', candidate: () => ID } as never

describe('the turn to carry requests out', () => {
  it('is waited for by who has locked what the one that has it needs, and neither is lost', async () => {
    const url = await sharedDatabase()
    const { unitOfWork, inbox, readers } = await openStorage(url)
    await inbox.append(REQUEST, undefined)
    const [taken, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const worker = unitOfWork.run(async ({ requests, subscriptions }) => {
      const found = await requests.take(10)
      taken.resolve()
      await looked.promise
      await subscriptions.locateMany([IDENTITY])
      await subscriptions.put(aSubscription(ID, 'ada@x'))
      await requests.remove(found.map(({ id }) => id))
    })
    await taken.promise
    let runs = 0
    const began = performance.now()
    const other = unitOfWork.run(async ({ requests, subscriptions }) => {
      runs++
      await subscriptions.find(ID)
      looked.resolve()
      const found = await requests.takeOf([ADA])
      return [found.length, (await subscriptions.find(ID))?.email]
    })
    await worker
    // The worker has removed it, and what it has stored is seen.
    expect(await other).toEqual([0, 'ada@x'])
    // As units that look at a subscription share no transaction, nothing is done a second time but for the turn.
    expect(runs).toBeGreaterThan(1)
    // Found out at once, and not by the server after a second.
    expect(performance.now() - began).toBeLessThan(900)
    expect(await readers.requests.count()).toBe(0)
  })

  it('is not waited for where nothing is asked about an address', async () => {
    const { unitOfWork, inbox } = await openStorage(await sharedDatabase())
    await inbox.append(REQUEST, undefined)
    const held = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    const worker = unitOfWork.run(async ({ requests }) => {
      await requests.take(10)
      taken.resolve()
      await held.promise
    })
    await taken.promise
    const other = 'b'.repeat(64) as AddressHash
    expect(await unitOfWork.run(({ requests }) => requests.takeOf([other]))).toEqual([])
    expect(await unitOfWork.run(({ requests }) => requests.removeOf(other))).toBe(0)
    held.resolve()
    await worker
  })

  it('is about no more feeds at a time than the server has room to lock', async () => {
    const { unitOfWork, inbox } = await openStorage(await sharedDatabase())
    const feeds = Array.from({ length: 20 }, (_, n) => ({ feed: `f${n}`, wording: '1', fields: undefined }))
    const asked = { kind: 'sign-up', email: 'ada@x', addressKey: 'ada@x', name: '', source: { via: 'form' }, feeds }
    const given = Array.from({ length: 60 }, () => inbox.append({ ...REQUEST, asked: asked as never }, undefined))
    await Promise.all(given)
    expect(await unitOfWork.run(async ({ requests }) => (await requests.take(256)).length)).toBe(50)
  })
})

describe('whether an instance works with the database', () => {
  it('is said of instances alone, and for as long as they do', async () => {
    const url = await sharedDatabase()
    const command = await openStorage(url)
    expect([await command.isServed(), await isServed(url)]).toEqual([false, false])
    const instance = await openPostgresStorage({ url, serving: true })
    expect([await command.isServed(), await instance.isServed(), await isServed(url)]).toEqual([true, true, true])
    await instance.close()
    await expect.poll(() => command.isServed()).toBe(false)
    expect(await isServed('postgres://rollcall@127.0.0.1:1/nothing')).toBeUndefined()
  })

  it('is seen by a role that may do nothing but work with the tables', async () => {
    const url = await sharedDatabase()
    const instance = await openPostgresStorage({ url, serving: true })
    const seen = await lookAt(url, async (client) => {
      await client.query('BEGIN')
      await client.query('SET LOCAL ROLE pg_read_all_data')
      const { rows } = await client.query("SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory'")
      await client.query('ROLLBACK')
      return rows[0]?.locks
    })
    expect(seen).toBeGreaterThan(1)
    await instance.close()
  })
})
