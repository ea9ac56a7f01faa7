import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { InvalidInput } from '../src/index.ts'
import { ADMIN, auditOf, confirm, mailedToken, type Service, stored, subscribe, unsubscribe } from './cast.ts'
import { confirmedRow, importFile } from './transfers.ts'

const ADA = 'ada@example.com'
const BOTH = { update: ['name', 'fields'] }

const open = async () => {
  const at = openMemoryService()
  const fields = [
    { name: 'city', type: 'text', label: { en: 'City' } },
    { name: 'age', type: 'number', label: { en: 'Age' } },
  ]
  await at.useCases.putFeed.execute({ name: 'default', fields } as never, ADMIN)
  return at
}

const confirmed = async (at: Service, email = ADA) => {
  const { id } = await subscribe(at, email, { name: 'Ada', fields: { city: 'London', age: '36' } })
  await confirm(at, await mailedToken(at, 'confirm'))
  return id
}

const updates = async (at: Service) =>
  (await at.storage.readers.events.list({ after: 0, limit: 99 })).items.filter(({ type }) => type.endsWith('updated'))

describe('an import that updates', () => {
  it('gives name and fields to who is there, and nothing else', async () => {
    const at = await open()
    const id = await confirmed(at)
    const before = await stored(at, id)
    const row = confirmedRow(ADA, { name: 'Ada Lovelace', locale: 'fr', field_city: 'Paris', field_age: '' })
    const { summary } = await importFile(at, [row], BOTH)
    expect(summary).toMatchObject({ rows: 1, imported: 0, unchanged: 0, updated: 1 })
    expect(await stored(at, id)).toEqual({ ...before, name: 'Ada Lovelace', fields: { city: 'Paris', age: 36 } })
    expect(await updates(at)).toMatchObject([{ subject: String(id) }])
    expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'subscription.import', reason: 'rows 1' })
    expect((await importFile(at, [row], BOTH)).summary).toMatchObject({ unchanged: 1, updated: 0 })
    expect(await updates(at)).toHaveLength(1)
  })

  it.each([
    [['name'], { name: 'New', fields: { city: 'London', age: 36 } }],
    [['fields'], { name: 'Ada', fields: { city: 'Paris', age: 36 } }],
    [undefined, { name: 'Ada', fields: { city: 'London', age: 36 } }],
  ])('does so with %j alone', async (update, expected) => {
    const at = await open()
    const id = await confirmed(at)
    await importFile(at, [{ email: ADA, name: 'New', field_city: 'Paris' }], { update })
    expect(await stored(at, id)).toMatchObject(expected)
  })

  it('leaves the answers of one that is pending as they are when the file confirms it', async () => {
    const at = await open()
    const { id } = await subscribe(at, ADA, { fields: { city: 'London' } })
    await importFile(at, [confirmedRow(ADA, { field_age: 36 })])
    expect(await stored(at, id)).toMatchObject({ status: 'confirmed', fields: { city: 'London' } })
    const { id: another } = await subscribe(at, 'eve@example.com')
    await importFile(at, [confirmedRow('eve@example.com', { field_age: 36 })])
    expect(await stored(at, another)).toMatchObject({ fields: { age: 36 } })
  })

  it('refuses a name for a field that no feed declares', async () => {
    const names = { field_town: 'Stadt' }
    for (const format of ['ndjson', 'csv'])
      await expect(importFile(await open(), 'email,Stadt\n', { format, names })).rejects.toThrow(InvalidInput)
  })

  it('never changes a status, nor who has left', async () => {
    const at = await open()
    const id = await confirmed(at)
    for (const status of ['pending', 'confirmed', 'ended'])
      await importFile(at, [{ email: ADA, status, name: status }], BOTH)
    // What a row says of one who left elsewhere is nothing to go by.
    expect(await stored(at, id)).toMatchObject({ status: 'confirmed', name: 'confirmed' })
    const left = await subscribe(at, 'bob@example.com', { name: 'Bob' })
    await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
    const { summary } = await importFile(at, [confirmedRow('bob@example.com', { name: 'New' })], BOTH)
    expect([summary.updated, summary.unchanged, await stored(at, left.id)]).toMatchObject([
      0,
      1,
      { status: 'ended', name: 'Bob' },
    ])
  })

  it('updates who is pending, with its link as it was, and who is confirmed by the row', async () => {
    const at = await open()
    const { id } = await subscribe(at, ADA, { name: 'Ada' })
    const before = await stored(at, id)
    await importFile(at, [{ email: ADA, name: 'New', field_city: 'Paris' }], BOTH)
    expect(await stored(at, id)).toEqual({ ...before, name: 'New', fields: { city: 'Paris' } })
    await importFile(at, [confirmedRow(ADA, { name: 'Newer', field_age: '36' })], BOTH)
    expect(await stored(at, id)).toMatchObject({
      ...{ status: 'confirmed', name: 'Newer' },
      fields: { city: 'Paris', age: 36 },
    })
    expect(await updates(at)).toEqual([])
  })

  it('says in a dry run what it would do, and refuses what it does not know', async () => {
    const at = await open()
    const id = await confirmed(at)
    const { summary } = await importFile(at, [{ email: ADA, name: 'New' }], { ...BOTH, dryRun: true })
    expect([summary.updated, (await stored(at, id))?.name]).toEqual([1, 'Ada'])
    const { refused } = await importFile(at, [{ email: ADA, field_age: 'old' }], BOTH)
    expect(refused).toMatchObject([{ error: 'InvalidInput', details: [{ field: 'field_age' }] }])
    for (const update of [['status'], ['name', 'locale'], ['']])
      await expect(importFile(at, [{ email: ADA }], { update })).rejects.toThrow(InvalidInput)
  })
})
