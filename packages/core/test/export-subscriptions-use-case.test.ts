import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { InsufficientPermissions, InvalidInput, MINUTE } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, confirm, mailedToken, subscribe, unsubscribe } from './cast.ts'
import { savedBySpreadsheet } from './record-files.ts'
import { exportFile, importFile } from './transfers.ts'

const recordsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** One of each status, oldest first. */
const threeOfAKind = async () => {
  const at = openMemoryService()
  await subscribe(at, 'pending@example.com', { name: 'P' })
  at.clock.advance(MINUTE)
  await subscribe(at, 'confirmed@example.com', { name: '=C, "c"', locale: 'de' })
  await confirm(at, await mailedToken(at, 'confirm'))
  at.clock.advance(MINUTE)
  await subscribe(at, '+ended@example.com')
  await confirm(at, await mailedToken(at, 'confirm'))
  await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
  return at
}

describe('an export as NDJSON', () => {
  it('has a record a line, oldest first, with the consent that was given', async () => {
    const records = recordsIn(await exportFile(await threeOfAKind()))
    expect(records.map(({ email, status }) => [email, status])).toEqual([
      ['pending@example.com', 'pending'],
      ['confirmed@example.com', 'confirmed'],
      ['+ended@example.com', 'ended'],
    ])
    expect(records[1]).toEqual({
      name: '=C, "c"',
      email: 'confirmed@example.com',
      id: expect.any(Number),
      feed: 'default',
      status: 'confirmed',
      locale: 'de',
      created_at: '2026-01-01T00:01:00.000Z',
      confirmed_at: '2026-01-01T00:01:00.000Z',
      ended_at: null,
      consent: [
        {
          at: '2026-01-01T00:01:00.000Z',
          deed: 'requested',
          via: 'form',
          wording: 'double-opt-in/1',
          language: 'de',
          client_address: '192.0.2.0/24',
          user_agent: 'curl/8',
          count: 1,
        },
        expect.objectContaining({ deed: 'confirmed' }),
      ],
    })
  })

  it('has the wording as it was read where the feed has one, also when it was changed since', async () => {
    const at = openMemoryService()
    const put = (wording: string) => at.useCases.putFeed.execute({ name: 'news', title: 'News', wording }, ADMIN)
    await put('Send me news.')
    await subscribe(at, 'a@example.com', { feed: 'news' })
    await put('Send me all news.')
    await subscribe(at, 'b@example.com', { feed: 'news' })
    expect(recordsIn(await exportFile(at)).map(({ consent }) => consent[0])).toEqual([
      expect.objectContaining({ wording: 'news/1', wording_text: 'Send me news.' }),
      expect.objectContaining({ wording: 'news/2', wording_text: 'Send me all news.' }),
    ])
  })

  it('says nothing of a wording of another service, though a feed here has one of that name', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news', title: 'News', wording: 'Send me news.' }, ADMIN)
    await subscribe(at, 'a@example.com', { feed: 'news' })
    const entry = { at: '2025-12-01T00:00:00Z', deed: 'confirmed', wording: 'news/1' }
    await importFile(at, [{ email: 'b@example.com', consent: [entry] }])
    const records = recordsIn(await exportFile(at))
    expect(records.find(({ email }) => email === 'b@example.com').consent[0]).toMatchObject({ wording: 'news/1' })
    expect(records.find(({ email }) => email === 'b@example.com').consent[0]).not.toHaveProperty('wording_text')
  })

  it('has nothing in it where there is nothing', async () => {
    expect(await exportFile(openMemoryService())).toBe('')
  })
})

describe('an export as CSV', () => {
  it('has the last request and the last confirmation apart, and no formulas', async () => {
    const [head, pending, confirmed, ended, end] = (await exportFile(await threeOfAKind(), { format: 'csv' })).split(
      '\r\n',
    )
    expect(head).toBe(
      'email,name,id,feed,status,locale,created_at,confirmed_at,ended_at,' +
        'requested_at,requested_via,requested_wording,confirmed_via,confirmed_wording,consent',
    )
    expect(pending).toMatch(
      /^pending@example.com,P,\d+,default,pending,,2026-01-01T00:00:00.000Z,,,2026-01-01T00:00:00.000Z,form,double-opt-in\/1,,,"\[\{/,
    )
    expect(confirmed).toMatch(
      /^confirmed@example.com,"'=C, ""c""",\d+,default,confirmed,de,.+,form,double-opt-in\/1,form,/,
    )
    expect(ended).toMatch(/^'\+ended@example.com,,\d+,default,ended,,/)
    expect(end).toBe('')
  })

  it('names the columns also where there is nothing', async () => {
    expect(await exportFile(openMemoryService(), { format: 'csv' })).toMatch(/^email,[^\n]+\r\n$/)
  })
})

describe('an export', () => {
  it('may be of one feed or one status', async () => {
    const at = await threeOfAKind()
    await at.useCases.putFeed.execute({ name: 'news', title: 'News' }, ADMIN)
    await subscribe(at, 'news@example.com', { feed: 'news' })
    const emails = async (command: object) => recordsIn(await exportFile(at, command)).map(({ email }) => email)
    expect(await emails({ feed: 'news' })).toEqual(['news@example.com'])
    expect(await emails({ status: 'pending' })).toEqual(['pending@example.com', 'news@example.com'])
    expect(await emails({ feed: 'default', status: 'confirmed' })).toEqual(['confirmed@example.com'])
  })

  it.each([{ feed: 'nowhere' }, { feed: 'No Name' }, { status: 'gone' }, { format: 'xml' }])(
    'is refused where there is no such thing: %j',
    async (command) => {
      const at = openMemoryService()
      await expect(exportFile(at, command)).rejects.toThrow(InvalidInput)
      expect(await auditOf(at)).toEqual([])
    },
  )

  it('is refused to an auditor before anything is looked at, and that is on record', async () => {
    const at = openMemoryService()
    await expect(exportFile(at, { feed: 'nowhere' }, AUDITOR)).rejects.toThrow(InsufficientPermissions)
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toMatchObject([{ action: 'subscription.export', outcome: 'InsufficientPermissions' }])
  })

  it('is on record before its first byte', async () => {
    const at = await threeOfAKind()
    await at.useCases.exportSubscriptions.execute({ feed: 'default', status: 'ended', format: 'csv' }, ADMIN)
    expect((await auditOf(at)).at(-1)).toMatchObject({
      actor: 'root',
      action: 'subscription.export',
      target: 'default',
      outcome: 'done',
      reason: 'format csv, status ended',
    })
  })

  it('has everybody once, however many come and go meanwhile', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 1_200; n++) await subscribe(at, `person-${n}@example.com`)
    const first = (await at.storage.readers.subscriptions.list({ after: 0, limit: 1 })).items[0]!
    let text = ''
    for await (const piece of await at.useCases.exportSubscriptions.execute({}, ADMIN)) {
      if (text === '') {
        await at.storage.unitOfWork.run(({ subscriptions }) => subscriptions.erase(first.id))
        await subscribe(at, 'late@example.com')
        await subscribe(at, 'person-7@example.com', { name: 'changed' })
      }
      text += piece
    }
    const emails = recordsIn(text).map(({ email }) => email)
    expect(emails).toEqual([...Array.from({ length: 1_200 }, (_, n) => `person-${n}@example.com`), 'late@example.com'])
  })

  it('reads no further than it is read', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 1_200; n++) await subscribe(at, `person-${n}@example.com`)
    const { subscriptions, ...others } = at.storage.readers
    let stretches = 0
    const counted = {
      ...subscriptions,
      listEvidence: (filter: Parameters<typeof subscriptions.listEvidence>[0]) => {
        stretches++
        return subscriptions.listEvidence(filter)
      },
    }
    const { createUseCases } = await import('../src/index.ts')
    const useCases = createUseCases(
      { ...at.ports, readers: { ...others, subscriptions: counted } },
      { publicUrl: 'https://rollcall.example', linkLife: 1 },
    )
    for await (const _ of await useCases.exportSubscriptions.execute({}, ADMIN)) break
    expect(stretches).toBe(1)
  })
})

describe('an export for Excel', () => {
  it.each([
    ['as it was written', (file: string) => file, ',', undefined],
    ['as a spreadsheet saves it', (file: string) => savedBySpreadsheet(file, ',', ';'), ',', 'comma'],
    ['as it was written, with semicolons', (file: string) => file, ';', 'semicolon'],
    [
      'as a spreadsheet saves it, with semicolons',
      (file: string) => savedBySpreadsheet(file, ';', ';'),
      ';',
      'semicolon',
    ],
  ] as const)('comes back unchanged, %s', async (_, kept, sign, separator) => {
    const at = await threeOfAKind()
    await subscribe(at, '=1@example.com', { name: '0049 30 12' })
    await subscribe(at, '3.10@example.com', { name: '-1' })
    const file = await exportFile(at, { excel: true, separator })
    expect(file.slice(0, 7)).toBe(`\ufeffemail${sign}`)
    expect(file).not.toMatch(/(?:^|[,;\n])"?[=+\-@](?!"")/)
    const other = openMemoryService()
    const { refused, summary } = await importFile(other, kept(file), { format: 'csv' })
    expect([refused, summary.imported]).toEqual([[], 5])
    const [before, after] = [recordsIn(await exportFile(at)), recordsIn(await exportFile(other))]
    expect(after).toEqual(before)
  })

  it.each([undefined, 'semicolon'])('comes back unchanged without Excel, too, or is refused: %s', async (separator) => {
    const at = await threeOfAKind()
    await subscribe(at, 'd@example.com', { name: ',=1' })
    await subscribe(at, "'e@example.com", { name: "';=1" })
    await subscribe(at, "'=1@example.com")
    const other = openMemoryService()
    const { refused } = await importFile(other, await exportFile(at, { format: 'csv', separator }), { format: 'csv' })
    // Whether the apostrophe was there before, only the writer of the file knows.
    expect(refused.map(({ line }) => line)).toEqual([4, 7])
    const kept = recordsIn(await exportFile(at)).filter((_, n) => n !== 2 && n !== 5)
    expect(recordsIn(await exportFile(other))).toEqual(kept)
  })

  it('is CSV and nothing else, whether that is said or not', async () => {
    expect(await exportFile(openMemoryService(), { separator: 'semicolon' })).toMatch(/^email;name;/)
    const refused: readonly object[] = [
      { excel: true, format: 'ndjson' },
      { separator: 'semicolon', format: 'ndjson' },
      { separator: ';', format: 'csv' },
    ]
    for (const order of refused) await expect(exportFile(openMemoryService(), order)).rejects.toThrow(InvalidInput)
  })
})
