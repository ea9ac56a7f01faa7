import { type Client, createClient, type OperationId, type Params } from '@rollcall/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RemoteService } from './remote-service.ts'

/** The client against a real service. */
let service: RemoteService
let admin: Client

beforeAll(async () => {
  service = await RemoteService.open()
  admin = createClient({ url: service.url, token: () => service.token('root', 'admin') })
})
afterAll(() => service[Symbol.asyncDispose]())

const all = async <T>(records: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const record of records) found.push(record)
  return found
}

describe('the client', () => {
  it('creates, replaces, reads and deletes, guarded by entity tags', async () => {
    const body = { email: 'ada@example.com', name: 'Ada', roles: ['auditor'] }
    expect(await admin.try.putUser({ userId: 'ada lovelace'.replace(' ', '/'), body })).toMatchObject({ status: 201 })
    const read = await admin.try.getUser({ userId: 'ada/lovelace' })
    const ifMatch = read.headers.get('ETag') ?? 'none'
    expect(read).toMatchObject({ ok: true, data: { id: 'ada/lovelace', ...body } })
    expect(await admin.try.getUser({ userId: 'ada/lovelace', ifNoneMatch: ifMatch })).toMatchObject({ status: 304 })
    const again = await admin.try.putUser({ userId: 'ada/lovelace', ifMatch, body: { ...body, name: 'Countess' } })
    expect(again).toMatchObject({ status: 204, data: undefined })
    expect(await admin.try.deleteUser({ userId: 'ada/lovelace', ifMatch })).toMatchObject({
      error: 'PreconditionFailed',
    })
    expect(await admin.deleteUser({ userId: 'ada/lovelace', reason: 'asked for' })).toBeUndefined()
    expect((await admin.getErasureReceipt({ userId: 'ada/lovelace' })).reason).toBe('asked for')
    await expect(admin.getUser({ userId: 'ada/lovelace' })).rejects.toMatchObject({ error: 'UserDeleted', status: 410 })
  })

  it('imports what it is given, and exports it again, page by page and as a stream', async () => {
    const rows = async function* () {
      for (let n = 0; n < 450; n++) yield { email: `p${n}@example.com`, name: n === 7 ? '\n' : `Person ${n}` }
    }
    const report = await all(admin.importSubscriptions({ body: { ndjson: rows() } }))
    expect(report).toMatchObject([
      { line: 8, error: 'InvalidInput' },
      { rows: 450, imported: 449, refused: 1 },
    ])
    const emails = (await all(admin.listSubscriptions({ limit: 200 }))).map(({ email }) => email)
    expect(emails).toHaveLength(449)
    expect((await all(admin.exportSubscriptions())).map(({ email }) => email)).toEqual(emails)
    const csv = (await all(admin.exportSubscriptions({ format: 'csv', feed: 'default' }))).join('')
    expect(csv.trimEnd().split('\n')).toHaveLength(450)
  })

  it('has the refusals of the service, with the fields at fault', async () => {
    const anybody = createClient({ url: service.url })
    expect(await anybody.try.listUsers()).toMatchObject({ error: 'Unauthenticated', status: 401 })
    expect(await anybody.try.subscribe({ body: { email: 'no' } })).toMatchObject({ details: [{ field: 'email' }] })
    const auditor = createClient({ url: service.url, token: await service.token('eve', 'auditor') })
    expect(await auditor.try.deleteUser({ userId: 'ada' })).toMatchObject({ error: 'InsufficientPermissions' })
  })

  it('finds every operation where the service has it', async () => {
    const values = { userId: 'x', token: '1.00', name: 'x', subscriptionId: 1, address: 'x', jti: 'x' }
    const ids = Object.keys(admin.try) as OperationId[]
    expect(ids.length).toBeGreaterThan(45)
    for (const id of ids) {
      const body = /^import/.test(id) ? { csv: '' } : undefined
      const answer = await admin.send(id, { ...values, body } as unknown as Params<typeof id>)
      const text = await answer.text()
      const isMissing = answer.status === 405 || (answer.status === 404 && JSON.parse(text).error === 'NotFound')
      // Challenges are off here.
      expect([id, isMissing]).toEqual([id, id.startsWith('getChallenge')])
    }
  })
})
