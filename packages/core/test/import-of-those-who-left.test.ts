import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { InvalidInput } from '../src/index.ts'
import { confirm, deliver, mailedToken, mailsOf, type Service, subscribe } from './cast.ts'
import { confirmedRow, importFile, linesOf } from './transfers.ts'

const COUNTS = { imported: 0, unchanged: 0, refused: 0, confirmed: 0, pending: 0, ended: 0, interrupted: false }

const statuses = async ({ storage }: Service) =>
  Object.fromEntries(
    (await storage.readers.subscriptions.list({ after: 0, limit: 100 })).items.map(({ email, status }) => [
      email,
      status,
    ]),
  )
const mailed = async (at: Service) => {
  await deliver(at)
  return mailsOf(at).map(({ to }) => to)
}
const stopped = async (at: Service, file: string | readonly object[], more: object = {}) => {
  const error: unknown = await importFile(at, file, { mail: 'send', ...more }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(InvalidInput)
  expect([await statuses(at), await mailed(at)]).toEqual([{}, []])
  return (error as InvalidInput).details
}

// As Buttondown exports it.
const BUTTONDOWN = `email,notes,metadata,tags,referrer_url,creation_date,secondary_id,type,source,utm_campaign,unsubscription_date
exp07@example.com,,{},,,"2024-01-10T08:30:00+00:00",1,regular,embedded_form,,
exp07b@example.com,,{},,,"2024-01-10T08:30:00+00:00",2,unactivated,embedded_form,,
exp07c@example.com,,{},,,"2024-01-10T08:30:00+00:00",3,unsubscribed,embedded_form,,2024-05-01T00:00:00+00:00
`

describe('a file that says who left', () => {
  it.each([{ dryRun: false }, { dryRun: true }])('stops the import before anything is stored: %j', async (more) => {
    const details = await stopped(openMemoryService(), BUTTONDOWN, { format: 'csv', ...more })
    expect(details).toEqual([
      {
        field: 'column unsubscription_date',
        message: expect.stringMatching(
          /speaks of leaving.* --map ended_at=unsubscription_date; or ignore it: --ignore unsubscription_date\.$/,
        ),
      },
    ])
  })

  it.each(['no', 'FALSE', '0', 'none', 'withdrawn', 'unsubscribed'])(
    'is refused where its consent is %s',
    async (consent) => {
      const at = openMemoryService()
      const row = { email: 'left@example.com', consent, confirmed_at: '2024-01-01' }
      const { refused } = await importFile(at, [row, { ...row, status: 'confirmed' }], { mail: 'send' })
      expect(refused).toHaveLength(2)
      expect(JSON.stringify(refused)).toContain(`'${consent}' speaks of leaving.`)
      expect([await statuses(at), await mailed(at)]).toEqual([{}, []])
      await importFile(at, [{ ...row, status: 'ended' }], { mail: 'send' })
      expect([await statuses(at), await mailed(at)]).toEqual([{ 'left@example.com': 'ended' }, []])
    },
  )

  it.each<[string, object]>([
    ['pending', {}],
    ['confirmed', confirmedRow('left@example.com')],
  ])(
    'ends one that files alone have made %s, in the same file or a later one, and takes its mail back',
    async (_, row) => {
      const at = openMemoryService()
      const [stays, left] = [
        { ...row, email: 'left@example.com' },
        { email: 'left@example.com', status: 'ended', ended_at: '2024-08-01' },
      ]
      for (const file of [[stays, left], [left, stays], [left]]) {
        await importFile(at, file, { mail: 'send' })
        expect([await statuses(at), await mailed(at)]).toEqual([{ 'left@example.com': 'ended' }, []])
      }
      await importFile(at, [{ ...row, email: 'back@example.com' }])
      await importFile(at, [{ email: 'back@example.com', status: 'ended', ended_at: '2001-06-01' }])
      const isConfirmed = 'confirmed_at' in row
      expect((await statuses(at))['back@example.com']).toBe(isConfirmed ? 'confirmed' : 'ended')
      const events = (await at.storage.readers.events.list({ after: 0, limit: 9 })).items.map(({ type }) => type)
      expect(events.filter((type) => type === 'subscription.ended')).toHaveLength(isConfirmed ? 1 : 2)
      const later = openMemoryService()
      for (const file of [[stays], [left]]) await importFile(later, file, { mail: 'send' })
      expect([await statuses(later), await mailed(later)]).toEqual([{ 'left@example.com': 'ended' }, []])
    },
  )

  it('leaves one as it is that somebody has asked for or confirmed here', async () => {
    const at = openMemoryService()
    const left = (email: string) => ({ email, status: 'ended', ended_at: '2024-06-01' })
    await subscribe(at, 'asked@example.com')
    await subscribe(at, 'confirmed@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    const { summary } = await importFile(at, [left('asked@example.com'), left('confirmed@example.com')])
    expect(summary).toMatchObject({ imported: 0, unchanged: 2 })
    expect(await statuses(at)).toEqual({ 'asked@example.com': 'pending', 'confirmed@example.com': 'confirmed' })
  })

  it('comes in as it is said to be meant, and who left is never mailed', async () => {
    const at = openMemoryService()
    const statusesOfFile = { regular: 'pending', unactivated: 'pending', Unsubscribed: 'ended' }
    const names = { status: 'type', ended_at: 'unsubscription_date', created_at: 'creation_date' }
    const { refused, summary } = await importFile(at, BUTTONDOWN, {
      ...{ format: 'csv', mail: 'send', names, statuses: statusesOfFile },
    })
    expect(refused).toEqual([])
    expect(summary).toEqual({
      ...{ ...COUNTS, rows: 3, imported: 3, pending: 2, ended: 1 },
      ignored: ['notes', 'metadata', 'tags', 'referrer_url', 'secondary_id', 'source', 'utm_campaign'],
    })
    const pending = { 'exp07@example.com': 'pending', 'exp07b@example.com': 'pending' }
    expect(await statuses(at)).toEqual({ ...pending, 'exp07c@example.com': 'ended' })
    expect(await mailed(at)).toEqual(Object.keys(pending))
  })

  it('refuses the rows that speak of leaving in another column, which is named with the value', async () => {
    const at = openMemoryService()
    const { refused, summary } = await importFile(at, BUTTONDOWN, {
      ...{ format: 'csv', mail: 'send', ignored: ['Unsubscription_Date'] },
    })
    expect(refused).toEqual([
      {
        ...{ line: 4, error: 'InvalidInput' },
        message:
          "'type': 'unsubscribed' speaks of leaving. Say what it means: --map status=type --status unsubscribed=ended (or pending, or confirmed); or ignore it: --ignore type.",
        details: [{ field: 'type', message: expect.any(String) }],
      },
    ])
    expect(summary).toMatchObject({ imported: 2, refused: 1 })
    expect(await mailed(at)).toEqual(['exp07@example.com', 'exp07b@example.com'])
  })

  it('lets pass what is ignored by name, and says so', async () => {
    const at = openMemoryService()
    const ignored = ['type', 'unsubscription_date']
    const { summary } = await importFile(at, BUTTONDOWN, { format: 'csv', ignored })
    expect(summary).toMatchObject({ imported: 3, refused: 0, ignored: expect.arrayContaining(ignored) })
  })

  it('is known by our own export, if it has moved to another address', async () => {
    const moved = { email: 'a@example.com', status: 'ended', ended_because: 'moved', moved_to: 7 }
    const { summary } = await importFile(openMemoryService(), [moved, { email: 'b@example.com', ended_because: '' }])
    expect(summary).toMatchObject({ imported: 2, ended: 1, pending: 1 })
    // Without the status beside it, it is another's.
    const others = ['unsubscribed', 'moved'].map((because, n) => ({
      email: `c${n}@example.com`,
      ended_because: because,
    }))
    expect((await importFile(openMemoryService(), others)).summary).toMatchObject({ imported: 0, refused: 2 })
  })

  it('refuses words for a status whose meaning was not said, an empty one too', async () => {
    const csv = 'email,type\na@example.com,regular\nb@example.com,gifted\nc@example.com,\nd@example.com,ended\n'
    const names = { status: 'type' }
    const { refused } = await importFile(openMemoryService(), csv, {
      ...{ format: 'csv', names, statuses: { regular: 'pending' } },
    })
    expect(refused).toMatchObject([
      { line: 3, details: [{ field: 'status', message: expect.stringContaining("'gifted'") }] },
      { line: 4, details: [{ field: 'status', message: expect.stringContaining('--status =ended') }] },
    ])
    const given = { regular: 'pending', gifted: 'confirmed', '': 'pending' }
    const all = await importFile(openMemoryService(), csv, { format: 'csv', names, statuses: given })
    expect(all.summary).toMatchObject({ imported: 4, pending: 3, ended: 1 })
  })

  it('leaves out its column of the status where that is ignored', async () => {
    const csv = 'Email,Status,Created At,Subscription Tier\na@example.com,Active,,free\nb@example.com,Inactive,,free\n'
    const { refused } = await importFile(openMemoryService(), csv, { format: 'csv' })
    expect(refused.map(({ message }) => message)).toEqual([
      expect.stringContaining("'Active' means. Say it: --status Active=ended"),
      expect.stringContaining("'Inactive'"),
    ])
    const at = openMemoryService()
    const { summary } = await importFile(at, csv, { format: 'csv', statuses: { active: 'pending', inactive: 'ended' } })
    expect(summary).toMatchObject({ pending: 1, ended: 1, ignored: ['Created At', 'Subscription Tier'] })
    const ignoring = await importFile(openMemoryService(), csv, { format: 'csv', ignored: ['status'] })
    expect(ignoring.summary).toMatchObject({ pending: 2, ignored: ['Status', 'Created At', 'Subscription Tier'] })
  })

  it('stops also where a column is misspelt that decides', async () => {
    for (const [name, meant] of Object.entries({ statsu: 'status', 'Ended At': 'ended_at', feeds: 'feed' })) {
      const [problem] = await stopped(openMemoryService(), `email,${name}\na@example.com,x\n`, { format: 'csv' })
      expect(problem?.message).toMatch(new RegExp(`speaks of leaving|Did you mean '${meant}'\\?`))
    }
  })

  it('offers nothing to copy that a shell would run', async () => {
    const [problem] = await stopped(openMemoryService(), 'email,unsub$(reboot)\na@example.com,x\n', { format: 'csv' })
    expect(problem?.message).toContain('--ignore COLUMN')
    expect(problem?.message).not.toContain('reboot')
  })

  it.each([
    ['name,status', 'A'],
    ['name,Active', 'A'],
    ['name,feed', 'A'],
    ['name,unsubscribed', 'A'],
    ['confirmed_at,consent', '2024-01-01'],
    ['name,status,ended_at', 'A,'],
  ])('takes no row for one who stays that ends before one of its columns: %s', async (columns, row) => {
    const at = openMemoryService()
    const file = `email,${columns},notes\na@example.com,${row}\n`
    const { refused } = await importFile(at, file, { format: 'csv', mail: 'send' })
    expect(refused).toMatchObject([{ line: 2, error: 'MalformedRow' }])
    expect(await mailed(at)).toEqual([])
  })

  it('takes a row without its last cells if none of them decides, or only some that are ignored', async () => {
    const file = 'email,status,name,unsubscribed\na@example.com,ended\nb@example.com,\n'
    const at = openMemoryService()
    const { refused } = await importFile(at, file, { format: 'csv', mail: 'send', ignored: ['unsubscribed'] })
    expect([refused, await statuses(at)]).toEqual([[], { 'a@example.com': 'ended', 'b@example.com': 'pending' }])
  })

  it.each([
    ['short of a cell', 'email,notes,tags,comment\na@example.com,called\ntwice,vip,unsubscribed\n', [2, 3]],
    ['in the last cell', 'email,name,status\na@example.com,A,\nended\n', [2, 3]],
    ['after the address', 'email,notes\na@example.com\n,unsubscribed\n', [2, 3]],
    ['with a blank line', 'email,notes,comment\na@example.com,called\n\ntwice,unsubscribed\n', [2, 4]],
    [
      'with a comma more',
      'email,notes,comment\na@example.com,called\ntwice, or so,unsubscribed\nb@b.example,,\n',
      [2, 3],
    ],
    ['with quotes', 'email,notes,comment\na@example.com,called\n"twice" or so,unsubscribed\n', [2, 3]],
  ])('takes no half of a row for one who stays that a line end has broken in two: %s', async (_, file, lines) => {
    const at = openMemoryService()
    const { refused } = await importFile(at, file, { format: 'csv', mail: 'send' })
    expect(refused.map(({ line }) => line)).toEqual(lines)
    expect(refused[0]).toMatchObject({ error: 'MalformedRow', message: expect.stringContaining(`line ${lines[1]}`) })
    expect(await mailed(at)).not.toContain('a@example.com')
  })

  it('takes no evidence of consent whose first half stands in a row before', async () => {
    const at = openMemoryService()
    const file =
      'consent,email,confirmed_at\nRefused the offer at the booth.\nAgreed by phone,a@example.com,2026-01-10\n'
    const { refused } = await importFile(at, file, { format: 'csv' })
    expect(refused).toMatchObject([
      { line: 2, error: 'MalformedRow' },
      { line: 3, error: 'MalformedRow', message: expect.stringContaining('line 2') },
    ])
    expect(await statuses(at)).toEqual({})
  })

  it.each([
    ['they are short', 'email,name,notes\na@example.com\nb@example.com,B\nc@example.com,C,x\n', []],
    ['an address is wrong in the one column', 'email\na@example.com\nb\nc@example.com\n', [3]],
    [
      'an address is wrong in the last column',
      'name,email\nA,a@example.com\nB\nB,b@example.com\nC,c@example.com\n',
      [3, 4],
    ],
    ['a whole row has no address', 'email,name,notes\na@example.com,A,\nb,B\nc@example.com,C\n', [3]],
  ])('takes whole rows also where %s', async (_, file, lines) => {
    const { refused } = await importFile(openMemoryService(), file, { format: 'csv' })
    expect(refused.map(({ line }) => line)).toEqual(lines)
  })

  it('takes rows of separators for blank, and names no column that has neither name nor content', async () => {
    const { refused, summary } = await importFile(openMemoryService(), 'email,name,,,\na@example.com,Ann,,,\n,,,,\n', {
      format: 'csv',
    })
    expect([refused, summary]).toEqual([[], { ...COUNTS, rows: 1, imported: 1, pending: 1 }])
    const hidden = await importFile(openMemoryService(), 'email,,\na@example.com,,unsubscribed\n', { format: 'csv' })
    expect(hidden).toMatchObject({
      refused: [{ details: [{ field: 'column 3' }] }],
      summary: { ignored: ['column 3'] },
    })
  })
})

describe('objects that say who left', () => {
  it.each<[string, object]>([
    ['at its top', { unsubscribed: false }],
    ['within another', { subscription: { unsubscribed_at: null } }],
    ['within a list', { lists: [{ name: 'a' }, { name: 'b', optedOut: true }] }],
  ])('stop the import where the first has a name for it %s', async (_, more) => {
    await stopped(openMemoryService(), [{ email: 'a@example.com', ...more }, { email: 'b@example.com' }])
  })

  it.each<[string, object, string]>([
    ['a name that the first had not', { unsubscribed_at: null }, 'unsubscribed_at'],
    ['a value', { type: 'unsubscribed' }, 'type'],
    ['a boolean', { accepts_marketing: false }, 'accepts_marketing'],
    ['a value within another', { list: { status: 'cleaned' } }, 'list.status'],
    ['one of several', { tags: ['vip', 'unsubscribed'] }, 'tags'],
    ['a word that is not understood', { subscription_status: 'sleeping' }, 'subscription_status'],
    ['more than can be looked through', JSON.parse(`{"deep":${'['.repeat(50)}${']'.repeat(50)}}`), 'deep'],
  ])('are refused for %s', async (_, more, field) => {
    const at = openMemoryService()
    const rows = [{ email: 'a@example.com' }, { email: 'b@example.com', ...more }, { email: 'c@example.com' }]
    const { refused } = await importFile(at, rows, { mail: 'send' })
    expect(refused).toMatchObject([{ line: 2, error: 'InvalidInput', details: [{ field }] }])
    expect(await mailed(at)).toEqual(['a@example.com', 'c@example.com'])
  })

  it('come in where they are said to have ended, whatever else they say', async () => {
    const at = openMemoryService()
    const rows = [{ email: 'a@example.com' }, { email: 'b@example.com', status: 'ended', type: 'unsubscribed' }]
    expect((await importFile(at, rows)).summary).toMatchObject({ imported: 2, ended: 1, ignored: ['type'] })
  })

  it('are refused once there are too many names to remember', async () => {
    const rows = Array.from({ length: 1_002 }, (_, n) => ({ email: `a${n}@example.com`, [`x${n}`]: 1 }))
    const { refused, summary } = await importFile(openMemoryService(), rows)
    expect(refused.map(({ line }) => line)).toEqual([1_001, 1_002])
    expect(summary.ignored).toHaveLength(1_000)
    const columns = Array.from({ length: 1_200 }, (_, n) => `x${n}`)
    const wide = await importFile(
      openMemoryService(),
      `email,${columns.join(',')}\na@example.com${',1'.repeat(1_200)}\n`,
      {
        format: 'csv',
      },
    )
    expect(wide.refused).toMatchObject([{ line: 2, details: [{ field: 'x1000' }] }])
  })
})

describe('optional values that cannot be read', () => {
  it('are left out and counted, with the first of them', async () => {
    const at = openMemoryService()
    const { refused, summary } = await importFile(
      at,
      linesOf([
        { email: 'a@example.com', created_at: '0000-00-00 00:00:00', name: 'NULL', locale: '??' },
        { email: 'b@example.com', created_at: '10.01.2026 08:30', ended_at: 'NULL', name: 'Null' },
        { email: 'c@example.com', created_at: 1_700_000_000, confirmed_at: '2024-01-01', consent: 'NULL' },
        confirmedRow('d@example.com', { confirmed_at: '0001-01-01T00:00:00Z' }),
      ]),
    )
    expect(refused).toEqual([])
    expect(summary).toEqual({
      ...{ ...COUNTS, rows: 4, imported: 4, pending: 4 },
      unread: [
        { field: 'name', value: 'NULL', count: 1 },
        { field: 'created_at', value: '0000-00-00 00:00:00', count: 3 },
        { field: 'locale', value: '??', count: 1 },
        { field: 'ended_at', value: 'NULL', count: 1 },
        { field: 'consent', value: 'NULL', count: 1 },
        { field: 'confirmed_at', value: '0001-01-01T00:00:00Z', count: 1 },
      ],
    })
    const { items } = await at.storage.readers.subscriptions.list({ after: 0, limit: 9 })
    expect(items.map(({ name }) => name).slice(0, 2)).toEqual(['', 'Null'])
  })

  it('are refused where they decide, with the value', async () => {
    const row = confirmedRow('a@example.com', { confirmed_at: '2/7/2024' })
    const { refused } = await importFile(openMemoryService(), [row, { email: 'b@example.com', ended_at: '5/12/2024' }])
    expect(refused.map(({ message }) => message)).toEqual([
      expect.stringContaining("'2/7/2024' cannot be read"),
      expect.stringContaining("'5/12/2024' cannot be read"),
    ])
  })
})
