import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type AuditRecord,
  type FeedName,
  NOTHING_ERASED,
  type Stores,
  type Subscription,
  type SubscriptionId,
  type User,
  type UserId,
} from '@rollcall/core'
import { expect, onTestFinished } from 'vitest'
import { POSTGRES_FAILPOINTS } from '../../src/failpoints.ts'
import type { PostgresStorage } from '../../src/postgres/index.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

export const aUser = (id: string, changes: Partial<User> = {}): User => ({
  id: id as UserId,
  email: `${id}@example.com`,
  emailKey: `${id}@example.com`,
  name: '',
  roles: [],
  createdAt: 1,
  updatedAt: 1,
  ...changes,
})

export const aSubscription = (id: number, email: string): Subscription => ({
  id: id as SubscriptionId,
  feed: 'default' as FeedName,
  email,
  addressKey: email,
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

export const nextRecord = (
  last: AuditRecord | undefined,
  action: AuditRecord['action'],
  target: string,
): AuditRecord => {
  const sequence = (last?.sequence ?? 0) + 1
  const origin = {
    actor: 'me',
    roleSource: 'operator',
    channel: 'cli',
    tokenId: undefined,
    requestId: undefined,
  } as const
  const hash = createHash('sha256').update(`${last?.hash} ${sequence} ${target}`).digest('hex')
  const rolesHash = action === 'user.put' ? `roles of ${target}` : undefined
  return { ...origin, at: 1, action, target, outcome: 'done', reason: undefined, count: 1, rolesHash, sequence, hash }
}

export const note = async ({ audit }: Stores, action: AuditRecord['action'], target: string): Promise<AuditRecord> => {
  const record = nextRecord(await audit.last(), action, target)
  await audit.append(record)
  return record
}

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
  const { sequence } = await note(stores, 'user.delete', id)
  const times = { deletedAt: 1, erasesAt: undefined }
  await stores.tombstones.put(user.id, { ...times, audit: sequence, erased: NOTHING_ERASED, subscriptionsKept: 0 })
  await stores.events.append({ type: 'user.deleted', subject: id, at: 1 })
  return 'erased'
}

/** What was done, in the order of the trail; fails where a record is not chained to the one before. */
export const trailOf = async ({ readers }: PostgresStorage): Promise<string[]> => {
  const { items } = await readers.audit.list({ after: 0, limit: 1_000 })
  for (const [index, record] of items.entries())
    expect(record).toEqual(nextRecord(items[index - 1], record.action, record.target ?? ''))
  return items.map(({ action, target }) => `${action} ${target}`)
}

export const eventsOf = async ({ readers }: PostgresStorage): Promise<string[]> =>
  (await readers.events.list({ after: 0, limit: 1_000 })).items.map(({ type, subject }) => `${type} ${subject}`)

const countStatements = (counts: (text: string) => boolean): (() => number) => {
  let count = 0
  const look = (text: unknown) => {
    if (counts(String(text))) count++
  }
  const { name } = POSTGRES_FAILPOINTS.afterStatement
  subscribe(name, look)
  onTestFinished(() => void unsubscribe(name, look))
  return () => count
}

export const countCommits = () => countStatements((text) => text === 'COMMIT')
