import { beforeEach, describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type Caller, InsufficientPermissions, Unauthenticated } from '../src/index.ts'
import { ADMIN, putUser, type Service } from './cast.ts'
import { bytesOf, confirmedRow, exportFile, importFile, linesOf } from './transfers.ts'

const BOSS: Caller = { id: 'boss', roles: ['admin'], roleSource: 'stored', channel: 'http' }
/** More than is carried out, or read, at a time. */
const MANY = 700

const rowsOf = (name: string) => Array.from({ length: MANY }, (_, n) => confirmedRow(`${name}${n}@example.com`))

describe('work that takes long, of a caller', () => {
  let at: Service
  beforeEach(async () => {
    at = openMemoryService()
    for (const id of ['boss', 'other']) await putUser(at, id, ['admin'])
  })
  const suspend = () => at.useCases.suspendUser.execute({ userId: 'boss' }, ADMIN)
  const demote = () => at.useCases.patchUser.execute({ userId: 'boss', roles: ['auditor'] }, ADMIN)

  /** A file that goes on after something has happened. */
  async function* file(first: readonly object[], happens: () => Promise<unknown>, second: readonly object[]) {
    yield* bytesOf(linesOf(first))
    await happens()
    yield* bytesOf(linesOf(second))
  }
  const drained = async (pieces: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of pieces);
  }
  const exported = async () => (await exportFile(at)).trimEnd().split('\n')

  it.each([
    ['suspended', suspend, Unauthenticated],
    ['demoted', demote, InsufficientPermissions],
  ] as const)('ends, for an import, with what was stored before the caller was %s', async (_, happens, refusal) => {
    const body = file(rowsOf('before'), happens, rowsOf('after'))
    await expect(drained(await at.useCases.importSubscriptions.execute({ body }, BOSS))).rejects.toThrow(refusal)
    const emails = (await exported()).map((line) => JSON.parse(line).email)
    expect(emails.filter((email) => email.startsWith('after'))).toEqual([])
    expect(emails.length).toBeGreaterThan(0)
  })

  it('ends in the same way for a list of addresses that another service suppressed', async () => {
    const rows = (name: string) => rowsOf(name).map(({ email }) => ({ email, cause: 'complaint' }))
    const body = file(rows('before'), suspend, rows('after'))
    await expect(drained(await at.useCases.importSuppressions.execute({ body }, BOSS))).rejects.toThrow(Unauthenticated)
    const { items } = await at.useCases.listSuppressions.execute({ limit: '200' }, ADMIN)
    expect(items.length).toBeGreaterThan(0)
    const emails = rowsOf('after').map(({ email }) => email)
    expect((await at.useCases.checkSuppressions.execute({ addresses: emails.slice(-200) }, ADMIN)).blocked).toEqual([])
  })

  it('breaks off, for an export and for recipients, before what was not read yet', async () => {
    await importFile(at, rowsOf('reader'))
    for (const start of [
      () => at.useCases.exportSubscriptions.execute({}, BOSS),
      () => at.useCases.listRecipients.execute({ feed: 'default' }, BOSS),
    ]) {
      const pieces = (await start())[Symbol.asyncIterator]()
      expect((await pieces.next()).done).toBe(false)
      await suspend()
      await expect(drained({ [Symbol.asyncIterator]: () => pieces })).rejects.toThrow(Unauthenticated)
      await at.useCases.resumeUser.execute({ userId: 'boss' }, ADMIN)
    }
  })
})
