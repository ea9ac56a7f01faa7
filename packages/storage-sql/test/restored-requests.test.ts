import path from 'node:path'
import {
  type FeedName,
  type NewRequest,
  NOTHING_ERASED,
  type PublicRequest,
  type Stores,
  subscriptionIdentity,
} from '@rollcall/core'
import { memoryDigests } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import {
  backupSqlite,
  NOTHING_WITHDRAWN,
  openSqliteStorage,
  restoreSqlite,
  type Withdrawals,
} from '../src/sqlite/index.ts'
import { lookAt, newDatabase, newFolder } from './temporary-storage.ts'

const digests = memoryDigests('a secret for tests')
const idOf = (feed: FeedName, addressKey: string) => subscriptionIdentity(digests, feed, addressKey).candidate(0)
const DEFAULT = 'default' as FeedName
const addressOf = (who: string): string => `${who}@example.com`
const idFor = (who: string) => idOf(DEFAULT, addressOf(who))

const signUp = (who: string): PublicRequest => ({
  ...{ kind: 'sign-up', email: addressOf(who), addressKey: addressOf(who), name: who, locale: undefined },
  ...{ source: { via: 'form', clientAddress: undefined, userAgent: undefined }, together: false },
  feeds: [{ feed: DEFAULT, wording: '1', fields: undefined }],
})
const aRequest = (asked: PublicRequest): NewRequest => ({ at: 1, address: undefined, asked })

type Work = (stores: Stores) => Promise<unknown>

const onFile = async (file: string, work: Work): Promise<void> => {
  const { unitOfWork, close } = await openSqliteStorage({ file })
  await unitOfWork.run(work)
  await close()
}

/** The requests that wait after a restore, of whom; `before` and `since` the backup was made. */
const afterRestore = async (before: Work, since: Work, withdrawals: Partial<Withdrawals> = {}) => {
  const file = await newDatabase()
  const backup = path.join(newFolder(), 'backup')
  await onFile(file, before)
  await backupSqlite({ file, to: backup, replace: false, files: [] })
  await onFile(file, since)
  const restore = await restoreSqlite({ file, backup, withdrawals: () => ({ ...NOTHING_WITHDRAWN, ...withdrawals }) })
  await restore.withdrawRequests(idOf)
  await restore.complete()
  const { readers, close } = await openSqliteStorage({ file })
  const { items } = await readers.requests.list({ after: 0, limit: 9 })
  await close()
  return { file, items, names: items.map(({ asked }) => ('name' in asked ? asked.name : asked.kind)) }
}

const append =
  (...asked: PublicRequest[]): Work =>
  async ({ requests }) => {
    for (const one of asked) await requests.add(aRequest(one))
  }
const carriedOut: Work = async ({ requests }) => requests.remove((await requests.take(9)).map(({ id }) => id))
const noted =
  (...types: ('confirmed' | 'ended' | 'erased' | 'pending')[]): Work =>
  async (stores) => {
    await carriedOut(stores)
    for (const type of types)
      await stores.events.append({ type: `subscription.${type}`, subject: `${idFor('ada')}`, at: 2 })
  }

it('come back as they waited, in their order, parked ones as well; later ones get later ids', async () => {
  const before: Work = async (stores) => {
    await append(signUp('ada'), signUp('bob'), { kind: 'trap', feed: undefined })(stores)
    const [first] = await stores.requests.take(1)
    await stores.requests.park(first?.id ?? 0, 5, 'no such luck')
  }
  const since: Work = async (stores) => {
    await carriedOut(stores)
    await append(signUp('cleo'))(stores)
  }
  const { file, items, names } = await afterRestore(before, since)
  expect(names).toEqual(['ada', 'bob', 'trap'])
  expect(items[0]).toMatchObject({ parkedAt: 5, error: 'no such luck' })
  await onFile(file, append(signUp('dora')))
  const ids = lookAt(file, (database) => database.prepare('SELECT id FROM sign_up_request ORDER BY id').pluck().all())
  expect(ids).toEqual([1, 2, 3, 5])
})

it.each<[string, Parameters<typeof noted>, readonly string[]]>([
  ['nothing became of it since', [], ['ada', 'bob']],
  ['its subscription began since', ['pending'], ['ada', 'bob']],
  ['its subscription was confirmed since', ['pending', 'confirmed'], ['ada', 'bob']],
  ['its subscription was ended since', ['pending', 'confirmed', 'ended'], ['bob']],
  ['its subscription was erased since', ['pending', 'erased'], ['bob']],
  ['its subscription was ended since, and began again', ['ended', 'pending'], ['ada', 'bob']],
])('come back where nothing was withdrawn: %s', async (_, types, names) => {
  const before = append(signUp('ada'), signUp('bob'), { kind: 'manage', subscription: idFor('ada') })
  const found = await afterRestore(before, noted(...types))
  expect(found.names.filter((name) => name !== 'manage')).toEqual(names)
  expect(found.names.includes('manage')).toBe(names.includes('ada'))
})

it('do not come back where what was kept elsewhere says that they were withdrawn', async () => {
  const before = append(signUp('ada'), signUp('bob'), signUp('cleo'))
  const withdrawals = { erased: new Set([idFor('ada')]), ended: new Map([[idFor('bob'), 3]]) }
  expect((await afterRestore(before, carriedOut, withdrawals)).names).toEqual(['cleo'])
})

it('do not come back where a user of their address was deleted since, as the database or what was kept says', async () => {
  const user = { id: 'ada', email: addressOf('ada'), emailKey: addressOf('ada'), name: 'Ada', roles: [] }
  const before: Work = async (stores) => {
    await stores.users.put({ ...user, createdAt: 1, updatedAt: 1 } as never)
    await append(signUp('ada'), { kind: 'preferences', addressKey: addressOf('ada') }, signUp('bob'))(stores)
  }
  const deleted: Work = async ({ users, tombstones, events }) => {
    await users.erase('ada' as never)
    const tombstone = { deletedAt: 2, audit: 1, erasesAt: undefined, erased: NOTHING_ERASED, subscriptionsKept: 0 }
    await tombstones.put('ada' as never, tombstone)
    await events.append({ type: 'user.deleted', subject: 'ada', at: 2 })
  }
  expect((await afterRestore(before, deleted)).names).toEqual(['bob'])
  expect((await afterRestore(before, carriedOut, { users: new Map([['ada', 3]]) })).names).toEqual(['bob'])
})
