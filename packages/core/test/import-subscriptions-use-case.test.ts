import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, InsufficientPermissions, InvalidInput, MalformedRequest } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, consentsOf, deliver, mailsOf, outboxOf, type Service } from './cast.ts'
import { bytesOf, confirmedRow, importFile, linesOf } from './transfers.ts'

const COUNTS = {
  rows: 0,
  imported: 0,
  unchanged: 0,
  refused: 0,
  confirmed: 0,
  pending: 0,
  ended: 0,
  interrupted: false,
}
const LATER = '2999-01-01T00:00:00Z'

const all = async ({ storage }: Service) =>
  (await storage.readers.subscriptions.list({ after: 0, limit: 10_000 })).items

const only = async (at: Service) => {
  const [subscription, ...others] = await all(at)
  if (subscription === undefined || others.length > 0) throw new Error('There is not exactly one subscription.')
  return subscription
}

describe('an imported row', () => {
  it('is confirmed with the evidence that it brings', async () => {
    const at = openMemoryService()
    const row = confirmedRow('Brian.Smith@Example.com', { name: 'Brian Smith', locale: 'de' })
    expect(await importFile(at, [row])).toEqual({
      refused: [],
      summary: { ...COUNTS, rows: 1, imported: 1, confirmed: 1 },
    })
    const subscription = await only(at)
    expect(subscription).toMatchObject({
      email: 'Brian.Smith@example.com',
      addressKey: 'brian.smith@example.com',
      name: 'Brian Smith',
      locale: 'de',
      feed: 'default',
      status: 'confirmed',
      createdAt: Date.UTC(2024, 6, 1, 10),
      confirmedAt: Date.UTC(2024, 6, 2, 12, 56, 49),
      expiresAt: undefined,
    })
    expect(await consentsOf(at, subscription.id)).toEqual([
      {
        at: Date.UTC(2024, 6, 2, 12, 56, 49),
        deed: 'confirmed',
        via: 'import',
        wording: 'Ticked the box at the fair.',
        language: 'de',
        clientAddress: undefined,
        userAgent: undefined,
        count: 1,
      },
    ])
  })

  it.each([
    ['the time', { confirmed_at: null }],
    ['the evidence', { consent: '' }],
    ['a confirmation among the evidence', { consent: [{ at: '2024-07-01', deed: 'requested' }] }],
    ['both, and says it is confirmed', { confirmed_at: null, consent: null, status: 'confirmed' }],
    ['a wish to be confirmed', { status: 'pending' }],
  ])('is pending without %s, with links that live from now on, and no mail is sent', async (_, more) => {
    const at = openMemoryService()
    expect((await importFile(at, [confirmedRow('a@example.com', more)])).summary).toMatchObject({ pending: 1 })
    expect(await only(at)).toMatchObject({
      status: 'pending',
      confirmedAt: undefined,
      expiresAt: at.clock.now() + 7 * DAY,
      lastMail: undefined,
    })
    expect(await outboxOf(at)).toEqual([])
  })

  it('is ended where it says so, and keeps its owner out', async () => {
    const at = openMemoryService()
    const rows = [
      confirmedRow('a@example.com', { status: 'ended', ended_at: '2025-01-01T00:00:00Z' }),
      { email: 'b@example.com', ended_at: '2025-01-01' },
      { email: 'c@example.com', status: 'Ended' },
    ]
    expect((await importFile(at, rows)).summary).toMatchObject({ ended: 3 })
    expect((await all(at)).map(({ status, endedAt }) => [status, endedAt])).toEqual([
      ['ended', Date.UTC(2025, 0, 1)],
      ['ended', Date.UTC(2025, 0, 1)],
      ['ended', at.clock.now()],
    ])
    const again = rows.map(({ email }) => confirmedRow(email))
    expect((await importFile(at, again)).summary).toMatchObject({ unchanged: 3, imported: 0 })
  })

  it('is mailed only where that is asked for, once, and within the caps', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news', title: 'News' }, ADMIN)
    const rows = [
      { email: 'a@example.com' },
      { email: 'a@example.com', feed: 'news' },
      confirmedRow('b@example.com'),
      { email: 'c@example.com', status: 'ended' },
    ]
    await importFile(at, rows, { mail: 'send' })
    await importFile(at, rows, { mail: 'send' })
    expect(await outboxOf(at)).toHaveLength(2)
    await deliver(at)
    expect(mailsOf(at)).toMatchObject([{ kind: 'confirmation' }])
    expect(await outboxOf(at)).toHaveLength(1)
  })

  it('publishes the result as an event', async () => {
    const at = openMemoryService()
    await importFile(at, [
      { email: 'a@example.com' },
      confirmedRow('b@example.com'),
      { email: 'c@example.com', status: 'ended' },
    ])
    const { items } = await at.storage.readers.events.list({ after: 0, limit: 10 })
    const ids = (await all(at)).map(({ id }) => String(id))
    expect(items.map(({ type, subject }) => [type, subject])).toEqual([
      ['subscription.pending', ids[0]],
      ['subscription.confirmed', ids[1]],
      ['subscription.ended', ids[2]],
    ])
  })
})

describe('a row that is refused', () => {
  it.each([
    ['email', {}],
    ['email', { email: '' }],
    ['email', { email: 17 }],
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@example.com\r\nBcc: b@example.com' }],
    ['name', { email: 'a@example.com', name: 'line\nbreak' }],
    ['name', { email: 'a@example.com', name: 'x'.repeat(201) }],
    ['feed', { email: 'a@example.com', feed: 'No Feed' }],
    ['status', { email: 'a@example.com', status: 'active' }],
    ['confirmed_at', { email: 'a@example.com', confirmed_at: 'yesterday' }],
    ['confirmed_at', { email: 'a@example.com', confirmed_at: '2024-02-30T00:00:00Z' }],
    ['confirmed_at', { email: 'a@example.com', confirmed_at: '2024-13-01' }],
    ['confirmed_at', { email: 'a@example.com', confirmed_at: '1969-12-31T23:59:59Z' }],
    ['confirmed_at', { email: 'a@example.com', confirmed_at: LATER }],
    ['ended_at', { email: 'a@example.com', ended_at: '5/12/2024' }],
    ['ended_at', { email: 'a@example.com', ended_at: '2024-05-12', status: 'pending' }],
    ['ended_at', confirmedRow('a@example.com', { ended_at: '2024-12-05', status: 'confirmed' })],
    ['ended_at', { email: 'a@example.com', ended_at: 1_700_000_000 }],
    ['consent', { email: 'a@example.com', consent: 1 }],
    ['consent', { email: 'a@example.com', consent: 'x'.repeat(8_001) }],
    ['consent', { email: 'a@example.com', consent: ['yes'] }],
    ['consent', { email: 'a@example.com', consent: [{ deed: 'confirmed' }] }],
    ['consent', { email: 'a@example.com', consent: [{ deed: 'agreed', at: '2024-01-01' }] }],
    ['consent', { email: 'a@example.com', consent: [{ deed: 'ended', at: '2024-01-01', count: 0 }] }],
    ['consent', { email: 'a@example.com', consent: [{ deed: 'ended', at: '2024-01-01', via: 'a\nb' }] }],
  ])('says what is wrong with %s: %j', async (field, row) => {
    const at = openMemoryService()
    const { refused, summary } = await importFile(at, [row])
    expect(refused).toMatchObject([{ line: 1, error: 'InvalidInput', details: [{ field }] }])
    expect(refused[0]?.message).toMatch(new RegExp(`^'${field}': .+\\.$`))
    expect(summary).toEqual({ ...COUNTS, rows: 1, refused: 1 })
    expect(await all(at)).toEqual([])
  })

  it('says everything that is wrong at once, and nothing of what is in it', async () => {
    const { refused } = await importFile(openMemoryService(), [{ email: 'secret', name: 'secret\n', feed: 'secret?' }])
    expect(refused[0]?.details?.map(({ field }) => field)).toEqual(['email', 'name', 'feed'])
    expect(JSON.stringify(refused)).not.toContain('secret')
  })

  it('is one for a feed that is not there, or is being deleted', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news', title: 'News' }, ADMIN)
    await at.storage.unitOfWork.run(async ({ feeds }) => {
      const feed = (await feeds.list({ after: 0, limit: 10 })).items.find(({ name }) => name === 'news')!
      await feeds.put({ ...feed, deletingSince: at.clock.now() })
    })
    const rows = ['news', 'olds', 'default'].map((feed) => ({ email: 'a@example.com', feed }))
    const { refused, summary } = await importFile(at, rows)
    expect(refused).toMatchObject([
      { line: 1, error: 'FeedNotFound' },
      { line: 2, error: 'FeedNotFound' },
    ])
    expect(summary).toMatchObject({ imported: 1, refused: 2 })
  })

  it('stands in the report at its line of the file, among those that are good', async () => {
    const at = openMemoryService()
    const file = '{"email":"a@example.com"}\n\n{\n{"email":"nobody"}\n{"email":"b@example.com"}\n[]\n'
    const { refused, summary } = await importFile(at, file)
    expect(refused.map(({ line, error }) => [line, error])).toEqual([
      [3, 'MalformedRow'],
      [4, 'InvalidInput'],
      [6, 'MalformedRow'],
    ])
    expect(summary).toEqual({ ...COUNTS, rows: 5, imported: 2, pending: 2, refused: 3 })
  })

  it('is one in CSV whose address may be disguised for a spreadsheet: it would be somebody else', async () => {
    const at = openMemoryService()
    const file = `email,name
'+a@example.com,A
'=b@example.com,B
'＝b@example.com,B
''-b@example.com,B
"a;'=b@example.com",B
'c@example.com,'=C
"=""'+d@example.com""",D
`
    const { refused } = await importFile(at, file, { format: 'csv' })
    expect(refused.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6])
    const message = 'Remove the apostrophe that keeps spreadsheets from taking this for a formula, or use NDJSON.'
    expect(refused[0]).toMatchObject({ error: 'InvalidInput', details: [{ field: 'email', message }] })
    expect(await all(at)).toMatchObject([
      { email: "'c@example.com", name: '=C' },
      { email: "'+d@example.com", name: 'D' },
    ])
  })

  it('takes no more room in the trail than the others of its unit: none', async () => {
    const at = openMemoryService()
    await importFile(at, '{\n{\n{"email":"a"}\n')
    expect(await auditOf(at)).toEqual([])
  })
})

describe('an import', () => {
  it('takes CSV with the columns by the names that they have there', async () => {
    const at = openMemoryService()
    const file = 'E-Mail;Full Name;Joined\na@example.com;"Smith; A.";2024-07-02\n'
    const names = { email: 'E-Mail', name: 'Full Name', created_at: 'Joined' }
    expect((await importFile(at, file, { format: 'csv', names })).summary).toMatchObject({ imported: 1 })
    expect(await only(at)).toMatchObject({ name: 'Smith; A.', createdAt: Date.UTC(2024, 6, 2) })
  })

  it('is on record with every unit that stored anything, by count', async () => {
    const at = openMemoryService()
    const rows = Array.from({ length: 1_100 }, (_, n) => ({ email: `${n}@example.com` }))
    await importFile(at, rows)
    await importFile(at, rows)
    const records = await auditOf(at)
    expect(records.every(({ action, outcome }) => action === 'subscription.import' && outcome === 'done')).toBe(true)
    expect(records.map(({ reason }) => reason)).toEqual(['rows 600', 'rows 500'])
  })

  it('passes on what breaks the file off, and goes on where it was when it is run again', async () => {
    const at = openMemoryService()
    const rows = Array.from({ length: 1_100 }, (_, n) => ({ email: `${n}@example.com` }))
    const body = (async function* () {
      yield* bytesOf(linesOf(rows))
      throw new Error('broke off')
    })()
    await expect(importFile(at, '', { body })).rejects.toThrow('broke off')
    expect(await all(at)).toHaveLength(600)
    const again = await importFile(at, rows)
    expect(again.summary).toEqual({ ...COUNTS, rows: 1_100, unchanged: 600, imported: 500, pending: 500 })
    expect(await all(at)).toHaveLength(1_100)
  })

  it('changes nothing in a dry run, and says what would be', async () => {
    const at = openMemoryService()
    await importFile(at, [{ email: 'a@example.com' }])
    const before = [await all(at), await auditOf(at)]
    const rows = [
      { email: 'a@example.com' },
      confirmedRow('b@example.com'),
      { email: 'nobody' },
      { email: 'c@example.com', feed: 'x' },
    ]
    const { refused, summary } = await importFile(at, rows, { dryRun: true, mail: 'send' })
    expect(summary).toEqual({ ...COUNTS, rows: 4, unchanged: 1, imported: 1, confirmed: 1, refused: 2, dry_run: true })
    expect(refused.map(({ line }) => line)).toEqual([3, 4])
    expect([await all(at), await auditOf(at)]).toEqual(before)
    expect(await outboxOf(at)).toEqual([])
  })

  it('is refused to an auditor before anything is read, and that is on record', async () => {
    const at = openMemoryService()
    let read = false
    const body = (async function* () {
      read = true
      yield* bytesOf('x')
    })()
    await expect(importFile(at, '', { body, format: 'xml' }, AUDITOR)).rejects.toThrow(InsufficientPermissions)
    expect(read).toBe(false)
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toMatchObject([{ action: 'subscription.import', outcome: 'InsufficientPermissions' }])
  })

  it.each([
    ['format', { format: 'xml' }],
    ['mail', { mail: 'yes' }],
    ['map', { names: { mail: 'E-Mail' } }],
    ['map', { format: 'csv', names: { email: 'E-Mail' } }],
  ])('is refused before anything is stored where %s is not right: %j', async (field, more) => {
    const error: unknown = await importFile(openMemoryService(), 'email\n', more).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(InvalidInput)
    expect(error).toMatchObject({ details: [{ field }] })
  })

  it('is refused whole where the file is no text that it can read', async () => {
    await expect(importFile(openMemoryService(), 'e\0m\0')).rejects.toThrow(MalformedRequest)
  })

  it('takes nothing for nothing', async () => {
    expect((await importFile(openMemoryService(), '')).summary).toEqual(COUNTS)
  })
})
