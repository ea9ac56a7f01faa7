import { expect, it } from 'vitest'
import type { ImportUsersCommand, UserImportReportLine } from '../src/index.ts'
import { serviceOver } from './library-users.ts'
import { aTombstone, aUser, upTo, userId } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR } from './whole-service.ts'

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const row = (id: string, more: object = {}) => ({ id, email: `${id}.mail@example.com`, ...more })

type Service = Parameters<typeof serviceOver>[0]

/** Files of users, as the use case adds them to a storage. */
export const userImportContract = storageSuite('a storage that users are imported into', (storage) => {
  const { run, runEach, readers, sealed, another } = storage
  const reportOf = async (rows: readonly object[], more: Partial<ImportUsersCommand> = {}, at: Service = storage) => {
    const body = bytesOf(rows.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const lines: UserImportReportLine[] = []
    for await (const line of await serviceOver(at).importUsers.execute({ body, ...more }, OPERATOR)) lines.push(line)
    return lines
  }
  const idsOf = async () => (await readers.users.list({ after: 0, limit: 200 })).items.map(({ id }) => id)
  const intact = async () =>
    expect((await serviceOver(storage).verifyAudit.execute({}, OPERATOR)).broken).toBeUndefined()

  it('adds many with their roles, each with an event and a record, and with one record of their number for each unit', async () => {
    const rows = upTo(150).map((n) =>
      row(`u${n}`, { name: `Name ${n}`, roles: n % 2 ? ['auditor', 'admin'] : 'auditor' }),
    )
    expect(await reportOf(rows)).toEqual([{ rows: 150, imported: 150, refused: 0, interrupted: false }])
    expect(await idsOf()).toEqual(rows.map(({ id }) => id))
    expect(await readers.users.find(userId('u7'))).toMatchObject({
      email: 'u7.mail@example.com',
      name: 'Name 7',
      roles: ['admin', 'auditor'],
    })
    expect(await readers.users.countWithRole('admin')).toBe(75)
    const events = (await sealed.events.list({ after: 0, limit: 200 })).items
    expect(events.map(({ type, subject }) => `${type} ${subject}`)).toEqual(rows.map(({ id }) => `user.created ${id}`))
    const records = (await sealed.audit.list({ after: 0, limit: 1_000 })).items
    expect(new Set(records.map(({ action }) => action))).toEqual(new Set(['user.import']))
    expect(records.flatMap(({ target }) => target ?? [])).toEqual(rows.map(({ id }) => id))
    const counts = records.flatMap(({ reason }) =>
      reason === undefined ? [] : [Number(/^rows (\d+)$/.exec(reason)?.[1])],
    )
    expect(counts.reduce((sum, count) => sum + count)).toBe(150)
    await intact()
  })

  it('refuses who was suspended where the file comes from, because it would give access', async () => {
    const at = '2026-11-23T08:00:00.000Z'
    const rows = [row('a', { suspended_at: at }), row('b', { suspended_at: null }), row('c', { suspended_at: '' })]
    const [refused, summary] = await reportOf(rows)
    expect(refused).toMatchObject({ line: 1, error: 'InvalidInput', details: [{ field: 'suspended_at' }] })
    expect(summary).toMatchObject({ imported: 2, refused: 1 })
    expect(await idsOf()).toEqual(['b', 'c'])
  })

  it('refuses an id that is there or was deleted and an address that is taken, and changes nothing of them', async () => {
    const there = aUser('there', { emailKey: 'taken@example.com', email: 'taken@example.com', roles: ['admin'] })
    await runEach([there], ({ users }, user) => users.put(user))
    await run(({ tombstones }) => tombstones.put(userId('gone'), aTombstone))
    const rows = [
      ...[row('a'), row('there'), row('gone'), { id: 'b', email: 'TAKEN@example.com' }, row('c')],
      ...[row('a', { email: 'other@example.com' }), { id: 'd', email: row('c').email }, row('e')],
    ]
    const lines = await reportOf(rows)
    expect(lines.slice(0, -1).map((line) => ('line' in line ? [line.line, line.error] : line))).toEqual([
      ...[
        [2, 'UserExists'],
        [3, 'UserDeleted'],
        [4, 'EmailTaken'],
      ],
      ...[
        [6, 'UserExists'],
        [7, 'EmailTaken'],
      ],
    ])
    expect(lines.at(-1)).toEqual({ rows: 8, imported: 3, refused: 5, interrupted: false })
    expect(await idsOf()).toEqual(['there', 'a', 'c', 'e'])
    expect(await readers.users.find(there.id)).toEqual(there)
    expect((await sealed.audit.list({ after: 0, limit: 99 })).items.flatMap(({ target }) => target ?? [])).toEqual([
      ...['a', 'c', 'e'],
    ])
  })

  it('adds every good row among many whose address is taken', async () => {
    await runEach(upTo(40), ({ users }, n) => users.put(aUser(`old${n}`, { emailKey: `old${n}@example.com` })))
    const rows = upTo(120).map((n) => (n % 3 ? row(`new${n}`) : { id: `new${n}`, email: `old${n / 3}@example.com` }))
    const lines = await reportOf(rows)
    expect(lines.at(-1)).toMatchObject({ rows: 120, imported: 80, refused: 40 })
    expect(lines.slice(0, -1).map((line) => 'line' in line && line.line)).toEqual(upTo(40).map((n) => n * 3))
    expect(await idsOf()).toHaveLength(120)
  })

  it('says in a dry run what would happen, and changes nothing', async () => {
    await runEach([aUser('there', { emailKey: 'taken@example.com' })], ({ users }, user) => users.put(user))
    const rows = [row('a'), row('there'), { id: 'b', email: 'taken@example.com' }, row('c'), row('a')]
    const rehearsed = await reportOf(rows, { dryRun: true })
    expect([await idsOf(), (await sealed.audit.list({ after: 0, limit: 9 })).items]).toEqual([['there'], []])
    expect((await sealed.events.list({ after: 0, limit: 9 })).items).toEqual([])
    const [summary, ...refused] = (await reportOf(rows)).toReversed()
    expect(rehearsed).toEqual([...refused.toReversed(), { ...summary, dry_run: true }])
    expect(rehearsed.at(-1)).toMatchObject({ imported: 2, refused: 3 })
  })

  it('adds each user once where two import the same file at once', async () => {
    const rows = upTo(60).map((n) => row(`u${n}`))
    const reports = await Promise.all([reportOf(rows), reportOf(rows, {}, await another())])
    const summaries = reports.map((lines) => lines.at(-1) as { imported: number; refused: number })
    expect(summaries.map(({ imported, refused }) => imported + refused)).toEqual([60, 60])
    expect(summaries.reduce((sum, { imported }) => sum + imported, 0)).toBe(60)
    expect(await idsOf()).toHaveLength(60)
    await intact()
  })
})
