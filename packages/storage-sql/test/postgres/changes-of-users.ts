import { hash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type AddressHash,
  type AuditEntry,
  type Digests,
  type FeedName,
  NOTHING_ERASED,
  Sealer,
  type Stores,
  type Subscription,
  type SubscriptionId,
  type User,
  type UserId,
  verifyTrail,
} from '@rollcall/core'
import { expect, onTestFinished } from 'vitest'
import type { PostgresStorage } from '../../src/postgres/index.ts'
import { POSTGRES_STATEMENTS } from '../../src/postgres/statement-channel.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

export const addressOf = (email: string): AddressHash => hash('md5', email) as AddressHash

export const aSubscription = (id: number, email: string): Subscription => ({
  id: id as SubscriptionId,
  feed: 'default' as FeedName,
  email,
  addressKey: email,
  address: addressOf(email),
  name: '',
  locale: undefined,
  status: 'confirmed',
  episode: '0123456789abcdef',
  createdAt: 1,
  confirmedAt: 1,
  endedAt: undefined,
  expiresAt: undefined,
  lastMail: undefined,
})

export const open = async (): Promise<PostgresStorage> => await openStorage(await sharedDatabase())

export const note = async ({ audit }: Stores, action: AuditEntry['action'], target: string): Promise<number> =>
  await audit.append({
    ...{ at: 1, actor: 'me', roleSource: 'operator', channel: 'cli', tokenId: undefined, requestId: undefined },
    ...{ action, target, outcome: 'done', reason: undefined, count: 1 },
    rolesHash: action === 'user.put' ? `roles of ${target}` : undefined,
  })

export const put = async (stores: Stores, user: User): Promise<string> => {
  if (await stores.tombstones.has(user.id)) return 'deleted'
  const known = await stores.users.find(user.id)
  await stores.users.put(user)
  await note(stores, 'user.put', user.id)
  await stores.events.append({ type: known ? 'user.updated' : 'user.created', subject: user.id, at: 1 })
  return known ? 'updated' : 'created'
}

export const erase = async (stores: Stores, id: string): Promise<string> => {
  const user = await stores.users.find(id as UserId)
  if (user === undefined) return 'absent'
  if (user.roles.includes('admin') && (await stores.users.countWithRole('admin')) <= 1) return 'last'
  await stores.users.erase(user.id)
  const audit = await note(stores, 'user.delete', id)
  const times = { deletedAt: 1, erasesAt: undefined }
  await stores.tombstones.put(user.id, { ...times, audit, erased: NOTHING_ERASED, subscriptionsKept: 0 })
  await stores.events.append({ type: 'user.deleted', subject: id, at: 1 })
  return 'erased'
}

export const clock = { now: () => Date.now() }
/** For secrets that no one has to keep. */
export const digests: Digests = {
  sha256: (text) => hash('sha256', text),
  hmac: (purpose, text) => hash('sha256', `${purpose} ${text}`),
  equal: (a, b) => a === b,
}

const seal = ({ unitOfWork, readers }: PostgresStorage) => new Sealer({ unitOfWork, readers, clock, digests }).seal()

/** What was done, in the order of the trail, which is verified; each tombstone names the record of its deletion. */
export const trailOf = async (storage: PostgresStorage): Promise<string[]> => {
  await seal(storage)
  const { readers } = storage
  const { items } = await readers.audit.list({ after: 0, limit: 1_000 })
  expect((await verifyTrail(readers.audit, digests)).broken).toBeUndefined()
  for (const { id, tombstone } of await readers.tombstones.list({ after: undefined, limit: 1_000 })) {
    const record = await readers.audit.find(tombstone.audit)
    expect([record?.action, record?.target]).toEqual(['user.delete', id])
  }
  return items.map(({ action, target }) => `${action} ${target}`)
}

export const eventsOf = async (storage: PostgresStorage): Promise<string[]> => {
  await seal(storage)
  return (await storage.readers.events.list({ after: 0, limit: 1_000 })).items.map(
    ({ type, subject }) => `${type} ${subject}`,
  )
}

const countStatements = (counts: (text: string) => boolean): (() => number) => {
  let count = 0
  const look = (text: unknown) => {
    if (counts(String(text))) count++
  }
  const { name } = POSTGRES_STATEMENTS
  subscribe(name, look)
  onTestFinished(() => void unsubscribe(name, look))
  return () => count
}

export const countCommits = () => countStatements((text) => text === 'COMMIT')
