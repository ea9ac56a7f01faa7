import { inspect } from 'node:util'
import { type Stores, Unavailable, type User, type UserId } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import {
  asUnavailable,
  discreet,
  isConnectionLoss,
  isContention,
  isOutage,
  isUnsent,
  leavesDoubt,
} from '../../src/postgres/postgres-error.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const user = (id: string, name = ''): User => ({
  id: id as UserId,
  email: `${id}@example.com`,
  emailKey: `${id}@example.com`,
  name,
  roles: [],
  createdAt: 1,
  updatedAt: 1,
})

const coded = (code: string) => Object.assign(new Error(code), { code })

describe('units', () => {
  it('that wait for each other are run again until all are done', async () => {
    const url = await sharedDatabase()
    const [one, two] = [await openStorage(url), await openStorage(url)]
    await one.unitOfWork.run(async ({ users }) => {
      for (const id of ['a', 'b']) await users.put(user(id, '0'))
    })
    let arrived = 0
    const both = Promise.withResolvers<void>()
    const inOrder =
      (...ids: [first: string, second: string]) =>
      async ({ users }: Stores) => {
        const first = await users.find(ids[0] as UserId)
        // The first time, each has what the other will ask for.
        if (++arrived === 2) both.resolve()
        await both.promise
        const second = await users.find(ids[1] as UserId)
        await users.put(user(ids[0], String(Number(first?.name) + 1)))
        await users.put(user(ids[1], String(Number(second?.name) + 1)))
      }
    await Promise.all([one.unitOfWork.run(inOrder('a', 'b')), two.unitOfWork.run(inOrder('b', 'a'))])
    expect(arrived).toBe(3)
    for (const id of ['a', 'b']) expect((await one.readers.users.find(id as UserId))?.name).toBe('2')
  })

  it('survive it when their connection is terminated before the commit', async () => {
    const url = await sharedDatabase()
    const { unitOfWork, readers } = await openStorage(url)
    let cut = false
    await unitOfWork.run(async ({ users }) => {
      await users.find('a' as UserId)
      if (!cut) {
        cut = true
        await lookAt(url, (client) =>
          client.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid()`,
          ),
        )
      }
      await users.put(user('a'))
    })
    expect(await readers.users.find('a' as UserId)).toEqual(user('a'))
  })

  it('are `Unavailable` when somebody else holds a row for too long', async () => {
    const url = await sharedDatabase()
    const { unitOfWork, client: own } = await openStorage(`${url}?pool=3`)
    expect((await own.query({ text: 'SHOW lock_timeout' })).rows).toEqual([{ lock_timeout: '5s' }])
    // All of its connections: none has time to be asked twice.
    const hasten = { text: "SELECT set_config('lock_timeout', '100ms', false), pg_sleep(0.2)" }
    await Promise.all([1, 2, 3].map(() => own.query(hasten)))
    await unitOfWork.run(({ users }) => users.put(user('a')))
    await lookAt(url, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT 1 FROM user_account FOR UPDATE')
      await expect(unitOfWork.run(({ users }) => users.find('a' as UserId))).rejects.toBeInstanceOf(Unavailable)
      await client.query('ROLLBACK')
    })
    expect(await unitOfWork.run(({ users }) => users.find('a' as UserId))).toEqual(user('a'))
  })

  it('run again also where their work catches every error of a store', async () => {
    const { unitOfWork, readers } = await openStorage(await sharedDatabase())
    await unitOfWork.run(async ({ heldUsers, users, spentChallenges }) => {
      await heldUsers.find('a' as UserId).catch(() => undefined)
      await users.put(user('a')).catch(() => undefined)
      await spentChallenges.spend('a', 1).catch(() => undefined)
    })
    expect(await readers.users.find('a' as UserId)).toEqual(user('a'))
  })

  it('end, each with an error, when there is no server', async () => {
    const url = await sharedDatabase()
    const passage = await Passage.open(url)
    const { unitOfWork } = await openStorage(passage.through(url))
    await passage.close()
    const units = Array.from({ length: 3 }, () => unitOfWork.run(({ users }) => users.find('a' as UserId)))
    for (const unit of await Promise.allSettled(units))
      expect(unit).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) })
  })

  it('must not begin others, nor use their stores when they are over', async () => {
    const { unitOfWork } = await openStorage(await sharedDatabase())
    const nested = unitOfWork.run(() => unitOfWork.run(async () => 'never'))
    await expect(nested).rejects.toThrow('must not begin another')
    const stores = await unitOfWork.run(async (all) => {
      await all.users.countWithRole('admin')
      return all
    })
    await expect(stores.users.countWithRole('admin')).rejects.toThrow('outside its unit')
    await expect(stores.spentChallenges.spend('a', 1)).rejects.toThrow('outside its unit')
  })

  it('that sign up for the same at the same time begin one subscription', async () => {
    const url = await sharedDatabase()
    const [one, two] = [await openStorage(url), await openStorage(url)]
    const identity = { feed: 'default', addressKey: 'ada@x', fingerprint: 'f', candidate: () => 7 } as never
    const signUp = async ({ feeds, subscriptions, outbox, consents, events }: Stores) => {
      if (!(await feeds.find('default' as never))) throw new Error('there is no feed')
      const { id, subscription } = await subscriptions.locate(identity)
      if (subscription) return 'known'
      const mail = { kind: 'confirmation', subscriptionId: id, address: 'a', messageId: 'm', createdAt: 1 } as const
      const lastMail = await outbox.add({ ...mail, notBefore: 1, expiresAt: undefined, address: 'a' as never })
      const head = {
        id,
        feed: 'default' as never,
        email: 'ada@x',
        addressKey: 'ada@x',
        name: '',
        locale: undefined,
        address: 'a' as never,
      }
      const times = { createdAt: 1, confirmedAt: undefined, endedAt: undefined, expiresAt: 2 }
      await subscriptions.put({ ...head, ...times, status: 'pending', episode: 'e', lastMail })
      const consent = { at: 1, deed: 'requested', via: 'form', clientAddress: undefined, userAgent: undefined } as const
      await consents.append(id, { ...consent, wording: '0', language: undefined, count: 1 })
      await events.append({ type: 'subscription.pending', subject: '7', at: 1 })
      return 'begun'
    }
    const runs = Array.from({ length: 30 }, (_, n) => (n % 2 ? one : two).unitOfWork.run(signUp))
    expect((await Promise.all(runs)).filter((outcome) => outcome === 'begun')).toHaveLength(1)
    const tables = ['subscription', 'consent', 'outbox', 'event'].map((table) => `(SELECT count(*)::int FROM ${table})`)
    const { rows } = await lookAt(url, (client) => client.query({ text: `SELECT ${tables}`, rowMode: 'array' }))
    expect(rows).toEqual([[1, 1, 1, 1]])
  })
})

describe('an error of PostgreSQL', () => {
  it('is an outage where storage failed, and otherwise a defect', () => {
    for (const code of ['40001', '40P01', '53100', '53300', '55P03', '57014', '57P01', '25006', '58030', '08006'])
      expect([code, isOutage(coded(code))]).toEqual([code, true])
    for (const code of ['08000', '08001', '08003', '08004', '08006', '08007', '08P01', '57P01', '57P02', '57P03'])
      expect([code, isConnectionLoss(coded(code))]).toEqual([code, true])
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'SELF_SIGNED_CERT_IN_CHAIN'])
      expect([code, isConnectionLoss(coded(code))]).toEqual([code, true])
    for (const code of ['23505', '42601', '42P01', '22021', '09000', 'P0001', ''])
      expect([code, isOutage(coded(code))]).toEqual([code, false])
    expect(isContention(coded('40P01'))).toBe(true)
    for (const unsent of [coded('26000'), coded('42P05'), new Error('Client was closed and is not queryable')])
      expect([unsent.message, isUnsent(unsent)]).toEqual([unsent.message, true])
    for (const sent of [coded('08P01'), coded('57P01'), new Error('Connection terminated unexpectedly')])
      expect([sent.message, isUnsent(sent)]).toEqual([sent.message, false])
    for (const message of [
      'Connection terminated unexpectedly',
      'Received unexpected dataRow message from backend.',
      'received invalid response: 48',
    ])
      expect([message, isConnectionLoss(new Error(message))]).toEqual([message, true])
    expect(asUnavailable(coded('53300'))).toBeInstanceOf(Unavailable)
    for (const code of ['08P01', '08006', '57P01', '58000', '58030', 'XX000', 'ECONNRESET'])
      expect([code, leavesDoubt(coded(code))]).toEqual([code, true])
    for (const code of ['23505', '23503', '40001', '40P01', '53100', '57014', 'P0001'])
      expect([code, leavesDoubt(coded(code))]).toEqual([code, false])
    const refusal = Object.assign(coded('23505'), { detail: 'Key (email)=(ada@example.com) already exists.' })
    expect(inspect(discreet(refusal))).not.toContain('ada@')
    const defect = new TypeError('ours')
    expect(asUnavailable(defect)).toBe(defect)
  })
})
