import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { addressHash, DAY, InsufficientPermissions, InvalidInput, type SuppressionReportLine } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, type Service } from './cast.ts'
import { confirmed, digests, emailsOf, SENDER } from './recipients.ts'
import { bytesOf } from './transfers.ts'

const take = async (at: Service, text: string, more = {}, who = ADMIN): Promise<SuppressionReportLine[]> => {
  const lines: SuppressionReportLine[] = []
  const command = { format: 'csv', body: bytesOf(text), ...more }
  for await (const line of await at.useCases.importSuppressions.execute(command, who)) lines.push(line)
  return lines
}

const FILE = `email,cause,at
Ada@example.com,complaint,2025-12-01T00:00:00Z
bob@example.com,Unsubscribed,2025-12-02
eve@example.com,bounce,
nonsense,bounce,
fay@example.com,other,
`

const found = async (at: Service, email: string) => {
  const hash = addressHash(digests, email)
  return (await at.storage.readers.suppressions.findMany([hash])).get(hash)
}

describe('an import of suppressions', () => {
  it('blocks complaints and those who unsubscribed, takes bounces for undeliverable, and says why it refuses rows', async () => {
    const at = openMemoryService()
    const lines = await take(at, FILE)
    expect(lines).toMatchObject([
      { line: 5, error: 'InvalidInput', details: [{ field: 'email' }] },
      { line: 6, error: 'InvalidInput', details: [{ field: 'cause' }] },
      { rows: 5, imported: 3, unchanged: 0, refused: 2, blocked: 2, undeliverable: 1, interrupted: false },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/nonsense|fay/)
    expect(await found(at, 'ada@example.com')).toMatchObject({
      block: { cause: 'complaint', since: Date.UTC(2025, 11, 1) },
    })
    expect(await found(at, 'bob@example.com')).toMatchObject({
      block: { cause: 'blocked', since: Date.UTC(2025, 11, 2) },
    })
    expect(await at.storage.readers.deliverability.find(addressHash(digests, 'eve@example.com'))).toMatchObject({
      state: 'undeliverable',
      since: at.clock.now(),
    })
  })

  it('takes nobody who complained for one whose mailbox is gone, because a column was not named', async () => {
    const at = openMemoryService()
    const file = 'email,Reason\na@example.com,HardBounce\nb@example.com,SpamComplaint\nc@example.com,550 spam\n'
    expect(await take(at, file, { causes: { '': 'bounce' } })).toMatchObject([
      { line: 3, message: expect.stringContaining('--map cause=Reason') },
      { imported: 2, refused: 1, undeliverable: 2 },
    ])
    const [summary] = await take(at, file, { causes: { '': 'complaint' }, dryRun: true })
    expect(summary).toMatchObject({ imported: 3, blocked: 3 })
  })

  it.each([
    {
      by: 'Postmark',
      file: 'Recipient,Reason,Origin,CreatedAt\na@example.com,HardBounce,Recipient,2024-01-10T08:30:00-05:00\nb@example.com,SpamComplaint,Recipient,2024-01-10T08:30:00-05:00\nc@example.com,ManualSuppression,Customer,2024-01-10T08:30:00-05:00\n',
      names: { email: 'Recipient', cause: 'Reason', at: 'CreatedAt' },
      found: ['undeliverable', 'complaint', 'blocked'],
    },
    {
      by: 'SendGrid: one file for each cause, seconds since 1970',
      file: 'status,reason,email,created\n5.1.1,550 no such user,a@example.com,1704893400\n',
      names: { at: 'created' },
      causes: { '': 'bounce' },
      found: ['undeliverable'],
    },
    {
      by: 'Mailgun: one file for each cause',
      file: 'address,tags,created_at\na@example.com,*,"Wed, 10 Jan 2024 13:30:00 UTC"\n',
      names: { email: 'address', at: 'created_at' },
      causes: { '': 'unsubscribed' },
      found: ['blocked'],
    },
    {
      by: 'Amazon SES',
      file: 'EmailAddress,Reason,LastUpdateTime\na@example.com,BOUNCE,2024-01-10T13:30:00.000Z\nb@example.com,COMPLAINT,2024-01-10T13:30:00Z\n',
      names: { email: 'EmailAddress', cause: 'Reason', at: 'LastUpdateTime' },
      found: ['undeliverable', 'complaint'],
    },
    {
      by: 'Brevo',
      file: 'Email;Reason;Date\na@example.com;Marked as spam;20240110T133000\nb@example.com;Admin blocked;10-Jan-2024 13:30\nc@example.com;Unsubscribed via email;10.01.2024 13:30\n',
      names: { cause: 'Reason', at: 'Date' },
      found: ['complaint', 'blocked', 'blocked'],
    },
    {
      by: 'Klaviyo and SparkPost',
      file: 'email,cause,at\na@example.com,USER_SUPPRESSED,1704893400\nb@example.com,Bounce Rule,1704893400\n',
      names: {},
      found: ['blocked', 'undeliverable'],
    },
    {
      by: 'a spreadsheet, in words of its own',
      file: 'E-Mail;Grund;Seit\na@example.com;unzustellbar;10.01.2024 13:30\nb@example.com;wollte nicht;10.01.2024 13:30\n',
      names: { email: 'E-Mail', cause: 'Grund', at: 'Seit' },
      causes: { unzustellbar: 'bounce', 'Wollte nicht': 'unsubscribed' },
      found: ['undeliverable', 'blocked'],
    },
  ])('takes lists as they are: $by', async ({ file, names, causes, found: expected }) => {
    const at = openMemoryService()
    expect(await take(at, file, { names, causes })).toMatchObject([{ imported: expected.length, refused: 0 }])
    for (const [n, meaning] of expected.entries()) {
      const hash = addressHash(digests, `${'abc'[n]}@example.com`)
      const { suppressions, deliverability } = at.storage.readers
      const { state, since } = (await deliverability.find(hash)) ?? {}
      const { block } = (await suppressions.findMany([hash])).get(hash) ?? {}
      const when = Date.UTC(2024, 0, 10, 13, 30)
      expect([meaning, block?.cause ?? state, block?.since ?? since]).toEqual([meaning, meaning, when])
    }
  })

  it('takes rows without their last cells only if none of those may be a cause', async () => {
    const file = 'email,cause,at,note\na@example.com,bounce\nb@example.com\n'
    const [refused, summary] = await take(openMemoryService(), file)
    expect([refused, summary]).toMatchObject([
      { line: 3, error: 'MalformedRow' },
      { imported: 1, refused: 1 },
    ])
    const [second, third, counts] = await take(openMemoryService(), file, { causes: { '': 'bounce' } })
    expect([second, third, counts]).toMatchObject([{ line: 2 }, { line: 3 }, { imported: 0 }])
  })

  it('refuses an address that may be disguised for a spreadsheet', async () => {
    const at = openMemoryService()
    expect(await take(at, "email,cause\n'+a@example.com,complaint\n")).toMatchObject([
      { line: 2, details: [{ field: 'email', message: expect.stringContaining('apostrophe') }] },
      { imported: 0, refused: 1 },
    ])
    expect(await found(at, '+a@example.com')).toBeUndefined()
  })

  it('leaves out a time that cannot be read, and never the address', async () => {
    const at = openMemoryService()
    const file =
      'email,cause,at\na@example.com,spam,1/2/2024\nb@example.com,bounce,0000-00-00\nc@example.com,soft bounce,\n'
    expect(await take(at, file)).toMatchObject([
      { line: 4, message: expect.stringContaining("'soft bounce'") },
      { imported: 2, refused: 1, unread: [{ field: 'at', value: '1/2/2024', count: 2 }] },
    ])
    expect(await found(at, 'a@example.com')).toMatchObject({ block: { since: at.clock.now() } })
  })

  it('refuses to begin if it is not told what it must know', async () => {
    const at = openMemoryService()
    const refuse = (file: string, more = {}) => expect(take(at, file, more)).rejects.toThrow(InvalidInput)
    await refuse('email,created\na@example.com,2024-01-10\n')
    await refuse(FILE, { names: { name: 'cause' } })
    await refuse(FILE, { causes: { other: 'soft' } })
  })

  it('changes nothing when it comes again, but for a complaint of one that was only blocked', async () => {
    const at = openMemoryService()
    await take(at, FILE)
    expect((await take(at, FILE)).at(-1)).toMatchObject({ imported: 0, unchanged: 3, refused: 2 })
    const again = await take(at, 'email,cause\nbob@example.com,complaint\nada@example.com,unsubscribed\n')
    expect(again).toMatchObject([{ imported: 1, unchanged: 1, blocked: 1 }])
    expect(await found(at, 'bob@example.com')).toMatchObject({ block: { cause: 'complaint' } })
    expect(await found(at, 'ada@example.com')).toMatchObject({ block: { cause: 'complaint' } })
  })

  it('takes recipients away, with an event of each', async () => {
    const at = openMemoryService()
    const ada = await confirmed(at, 'ada@example.com')
    const eve = await confirmed(at, 'eve@example.com')
    await confirmed(at, 'zoe@example.com')
    const before = await at.storage.readers.events.last()
    await take(at, FILE)
    expect(await emailsOf(at)).toEqual(['zoe@example.com'])
    const { items } = await at.storage.readers.events.list({ after: before, limit: 9 })
    expect(items.map(({ type, subject, feed }) => [type, subject, feed])).toEqual([
      ['subscription.blocked', String(ada), 'default'],
      ['subscription.undeliverable', String(eve), 'default'],
    ])
  })

  it('leaves an address alone whose reader has followed a link of ours since it bounced', async () => {
    const at = openMemoryService()
    for (const email of ['ada@example.com', 'eve@example.com']) await confirmed(at, email)
    const day = (ago: number) => new Date(at.clock.now() - ago * DAY).toISOString()
    at.clock.advance(DAY)
    const file = `email,cause,at\nada@example.com,bounce,${day(3)}\neve@example.com,bounce,${day(0)}\n`
    for (const dryRun of [true, false])
      expect(await take(at, file, { dryRun })).toMatchObject([{ imported: 1, unchanged: 1, undeliverable: 1 }])
    expect(await emailsOf(at)).toEqual(['ada@example.com'])
    // Of a date alone it is not known what came first: no mail goes.
    const today = new Date(at.clock.now() - DAY).toISOString().slice(0, 10)
    expect(await take(at, `email,cause,at\nada@example.com,bounce,${today}\n`)).toMatchObject([{ undeliverable: 1 }])
  })

  it('changes nothing in a dry run, and reports the same', async () => {
    const at = openMemoryService()
    const lines = await take(at, FILE, { dryRun: true })
    expect(lines.at(-1)).toMatchObject({ rows: 5, imported: 3, refused: 2 })
    expect(await found(at, 'ada@example.com')).toBeUndefined()
    const { prefixes } = await at.storage.readers.deliverability.undeliverablePrefixes(0)
    expect([await auditOf(at), prefixes]).toEqual([[], ''])
  })

  it('passes on what breaks the file off, and goes on where it was when it is run again', async () => {
    const at = openMemoryService()
    const file = `email,cause\n${Array.from({ length: 1_000 }, (_, n) => `${n}@example.com,blocked\n`).join('')}`
    const broken = async function* () {
      yield* bytesOf(file)
      throw new Error('the connection broke')
    }
    await expect(take(at, '', { body: broken() })).rejects.toThrow('the connection broke')
    expect(await take(at, file)).toMatchObject([{ rows: 1_000, imported: 550, unchanged: 450 }])
  })

  it('is for administrators, and leaves one record for each unit of work that changed anything', async () => {
    const at = openMemoryService()
    for (const who of [AUDITOR, SENDER])
      await expect(take(at, FILE, {}, who)).rejects.toBeInstanceOf(InsufficientPermissions)
    await expect(take(at, 'email\na@b.example\n')).rejects.toBeInstanceOf(InvalidInput)
    await take(at, FILE)
    await take(at, FILE)
    await at.useCases.refusals.flush()
    const trail = await auditOf(at)
    expect(trail.filter(({ outcome }) => outcome === 'done').map(({ action, reason }) => [action, reason])).toEqual([
      ['suppression.import', 'rows 3'],
    ])
    expect(JSON.stringify(trail)).not.toContain('example.com')
  })
})
