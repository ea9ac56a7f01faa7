import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { nodeDomainNames } from '@rollcall/platform-node'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, OPERATOR, openTestCli } from './terminal.ts'
import { zipArchive } from './zip-archive.ts'

const EXPORTS = path.join(import.meta.dirname, 'fixtures/exports')

const exported = (name: string): string => readFileSync(path.join(EXPORTS, name), 'utf8')

const archived = (folder: string, within = ''): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.join(EXPORTS, folder)).map((name) => [`${within}${name}`, exported(`${folder}/${name}`)]),
  )

// What these programs wrote: see the README there.
const LISTMONK = exported('listmonk/subscribers.csv')
const GHOST = exported('ghost/members.csv')
// In the form that exports of Mailchimp have.
const AUDIENCE = 'audience_export_5f0c1d2e3b'
const MAILCHIMP: Record<string, string> = {
  ...archived(`mailchimp/${AUDIENCE}`, `${AUDIENCE}/`),
  [`${AUDIENCE}/readme.txt`]: 'Thank you.',
}
const OLD_MAILCHIMP = archived('mailchimp/members_export_9a8b7c6d5e')

const EVIDENCE = ['--consent', 'Double opt-in there', '--confirmed-at', '2024-12-31']

describe('subscription import --from', () => {
  const folder = temporaryFolder()
  let cli: ReturnType<typeof openTestCli>
  beforeEach(async () => {
    cli = openTestCli()
    // The files have more domains than the service in memory knows to map.
    Object.assign(cli.ports.domainNames, nodeDomainNames)
    await cli.useCases.putFeed.execute({ name: 'weekly', title: 'Weekly' }, OPERATOR)
  })

  const take = async (name: string, content: string | Buffer, ...options: readonly string[]) => {
    const file = await folder.write(name, content)
    const { exitCode, stdout, stderr } = await cli.run(['subscription', 'import', file, '--json', ...options])
    return { exitCode, stderr, report: stdout === '' ? [] : jsonLines(stdout) }
  }
  const stored = async () => {
    const { items } = await cli.useCases.listSubscriptions.execute({ limit: 200 }, OPERATOR)
    return Object.fromEntries(items.map((one) => [one.email, one]))
  }

  it('takes a file that a spreadsheet has saved, and refuses the rows that it cannot read', async () => {
    const head =
      'id;email;name;note;subscribed_to_emails;complimentary_plan;stripe_customer_id;created_at;deleted_at;labels'
    const row = (letter: string, subscribed: string, at = '10.01.2024 08:30') =>
      `64a${letter};${letter}@example.com;Ann;;${subscribed};FALSE;;${at};;\n`
    const rows = [row('a', 'TRUE'), row('b', 'FALSE'), row('c', 'WAHR'), row('d', 'FALSCH'), row('e', 'vielleicht')]
    const file = `${head}\n${rows.join('')}${row('f', 'TRUE', '10.12.2025 08:30')}${row('g', 'TRUE', '1/2/2024 8:30')}`
    const { exitCode, report } = await take('members.csv', file, '--from', 'ghost', ...EVIDENCE)
    expect([exitCode, report]).toMatchObject([
      3,
      [
        { line: 6, message: expect.stringContaining("'vielleicht'") },
        { imported: 6, confirmed: 2, pending: 2, ended: 2, unread: [{ field: 'created_at', count: 1 }] },
      ],
    ])
    // The day of the last is not known to be before the evidence.
    expect(await statuses()).toMatchObject({
      ...{ 'a@example.com': 'confirmed', 'b@example.com': 'ended', 'c@example.com': 'confirmed' },
      ...{ 'd@example.com': 'ended', 'f@example.com': 'pending', 'g@example.com': 'pending' },
    })
  })

  it('looks through the columns that the service does not usually have', async () => {
    const head = 'email,subscribed_to_emails'
    const stopped = await take('members.csv', `${head},opted_out\nann@example.com,true,\n`, '--from', 'ghost')
    expect([stopped.exitCode, stopped.stderr]).toEqual([3, expect.stringContaining('--ignore opted_out')])
    expect(await stored()).toEqual({})
    const rows = `${head},state,note\nann@example.com,true,active,unsubscribed\nben@example.com,true,churned,\n`
    const { exitCode, report } = await take(
      'members.csv',
      `${rows}cleo@example.com,false,churned,\n`,
      '--from',
      'ghost',
    )
    expect([exitCode, report]).toMatchObject([
      3,
      [
        { line: 3, error: 'MalformedRow', message: expect.stringContaining("'churned' speaks of leaving") },
        { imported: 2, pending: 1, ended: 1, refused: 1, ignored: ['state', 'note'] },
      ],
    ])
    const all = await take('members.csv', rows, '--from', 'ghost', '--ignore', 'state')
    expect(all.report.at(-1)).toMatchObject({ imported: 1, unchanged: 1, refused: 0 })
  })

  it('takes any file as it is told to', async () => {
    const file = 'email,type,"tags, all",left on\nann@example.com,regular,x,\nben@example.com,gone:away,x,2024-05-01\n'
    const told = ['--map', 'status=type', '--status', 'regular=pending', '--status', 'gone:away=ended']
    const { report } = await take(
      'people.csv',
      file,
      ...told,
      '--ignore',
      'left on',
      '--ignore',
      'tags, all',
      '--dry-run',
    )
    expect(report).toMatchObject([
      { pending: 1, ended: 1, refused: 0, dry_run: true, ignored: ['tags, all', 'left on'] },
    ])
    expect(await stored()).toEqual({})
  })

  it('refuses a file that does not say who left: the wrong service, or a column that was removed', async () => {
    for (const [content, from, column] of [
      [GHOST, 'listmonk', 'status'],
      [LISTMONK, 'ghost', 'subscribed_to_emails'],
      ['email,name\nben@example.com,Ben\n', 'ghost', 'subscribed_to_emails'],
    ] as const) {
      const { exitCode, stderr } = await take('people.csv', content, '--from', from)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`no column '${column}'`)])
    }
    const named = await take('subscribed_members_export.csv', LISTMONK, '--from', 'mailchimp')
    expect([named.exitCode, named.stderr]).toEqual([2, expect.stringContaining("no column 'CONFIRM_TIME'")])
    expect(await stored()).toEqual({})
  })

  it('refuses a row that does not say whether its person left', async () => {
    const ghost = 'email,subscribed_to_emails\nann@example.com,vielleicht\nben@example.com,\ncleo@example.com,TRUE\n'
    const listmonk = 'email,status\ndan@example.com,\neve@example.com,Enabled\n'
    expect((await take('ghost.csv', ghost, '--from', 'ghost')).exitCode).toBe(3)
    expect((await take('listmonk.csv', listmonk, '--from', 'listmonk')).exitCode).toBe(3)
    expect(Object.keys(await stored())).toEqual(['cleo@example.com', 'eve@example.com'])
  })

  const consentsOf = async (email: string) => {
    const { id } = (await stored())[email] ?? { id: 0 }
    return (await cli.useCases.getConsent.execute({ subscriptionId: String(id) }, OPERATOR)).consents
  }
  const statuses = async () =>
    Object.fromEntries(Object.entries(await stored()).map(([email, { status }]) => [email, status]))

  it('takes the subscribers of listmonk: pending without evidence, the blocked left out', async () => {
    const { exitCode, report } = await take('subscribers.csv', LISTMONK, '--from', 'listmonk', '--feed', 'weekly')
    expect(exitCode).toBe(0)
    expect(report).toEqual([
      { line: 7, error: 'LeftOut', message: expect.stringContaining('disabled') },
      { line: 8, error: 'LeftOut', message: expect.stringContaining('blocklist') },
      expect.objectContaining({ rows: 11, imported: 9, pending: 9, confirmed: 0, refused: 0, left_out: 2 }),
    ])
    const all = await stored()
    expect(all['ann@example.com']).toMatchObject({
      name: 'Ann',
      feed: 'weekly',
      status: 'pending',
      createdAt: Date.UTC(2024, 2, 1, 8, 30, 0, 123),
    })
    expect(all['ben@example.com']).toMatchObject({
      name: 'Ben, the 2nd',
      createdAt: Date.UTC(2024, 6, 2, 22, 56, 49, 500),
    })
    expect(all['cleo@example.org']).toMatchObject({ name: 'Cléo “Ångström” 李' })
    expect(all['gil@example.org']).toMatchObject({ name: '=Gil' })
    // Its name is two lines there.
    expect(all['finn.berg+news@example.com']).toMatchObject({
      name: 'Finn Berg',
      createdAt: Date.UTC(2024, 11, 31, 23, 30, 0, 90),
    })
    expect(all['ida@xn--bcher-kva.example.com']).toMatchObject({ status: 'pending' })
  })

  it.each(['weekly-confirmed.csv', 'weekly-confirmed-in-sao-paulo.csv'])(
    'confirms where the operator says how and by when, but not those who came later: %s of listmonk',
    async (file) => {
      const { report } = await take('subscribers.csv', exported(`listmonk/${file}`), '--from', 'listmonk', ...EVIDENCE)
      expect(report.at(-1)).toMatchObject({ rows: 4, confirmed: 2, pending: 1, left_out: 1 })
      const all = await stored()
      // Who left the list is as enabled as the others: only the export of those who confirmed it is without them.
      expect(Object.keys(all).toSorted()).not.toContain('cleo@example.org')
      expect(all['ann@example.com']).toMatchObject({
        status: 'confirmed',
        createdAt: Date.UTC(2024, 2, 1, 8, 30, 0, 123),
        confirmedAt: Date.UTC(2024, 11, 31),
      })
      // In Oslo that was the next day already.
      expect(all['finn.berg+news@example.com']).toMatchObject({ status: 'confirmed' })
      expect(Object.values(await statuses()).toSorted()).toEqual(['confirmed', 'confirmed', 'pending'])
      expect(await consentsOf('ann@example.com')).toMatchObject([
        { deed: 'confirmed', wording: 'Double opt-in there', via: 'import' },
      ])
    },
  )

  it('takes the members of Ghost with a label: who unsubscribed has ended', async () => {
    const { exitCode, report } = await take('members.csv', GHOST, '--from', 'ghost', '--list', 'weekly')
    expect(exitCode).toBe(0)
    expect(report).toMatchObject([{ rows: 5, imported: 5, pending: 4, ended: 1, refused: 0 }])
    const all = await stored()
    expect(Object.keys(all).toSorted()).toEqual([
      'Finn.Berg@example.com',
      'ann@example.com',
      'ben@example.com',
      'dan@example.com',
      'hana@example.org',
    ])
    expect(all['ann@example.com']).toMatchObject({ status: 'pending', createdAt: Date.UTC(2024, 2, 1, 8, 30) })
    expect(all['ben@example.com']).toMatchObject({ name: 'Ben, the 2nd', status: 'ended' })
    // Ghost wrote it with an apostrophe in front.
    expect(all['dan@example.com']).toMatchObject({ name: '=Dan' })
  })

  it('takes the members of Ghost with a label that has a comma', async () => {
    await take('members.csv', GHOST, '--from', 'ghost', '--list', 'Monthly, free')
    expect(await statuses()).toEqual({ 'cleo@example.org': 'pending' })
  })

  it('confirms the members of Ghost as the operator says, and never who unsubscribed', async () => {
    const { report } = await take('members.csv', GHOST, '--from', 'ghost', '--feed', 'weekly', ...EVIDENCE)
    expect(report).toMatchObject([{ rows: 8, imported: 8, confirmed: 6, pending: 1, ended: 1, refused: 0 }])
    expect(await statuses()).toMatchObject({
      'ben@example.com': 'ended',
      'eve@example.org': 'confirmed',
      '+gil@example.org': 'confirmed',
      'Finn.Berg@example.com': 'pending',
    })
  })

  it('refuses an address with an apostrophe of which only Ghost says that it wrote it', async () => {
    const head = 'uuid,email,name,attributes,status,created_at,updated_at'
    const rows = "1,'+gil@example.org,'=Gil,{},enabled,,\n2,ann@example.com,'=Ann,{},enabled,,\n"
    const { report } = await take('subscribers.csv', `${head}\n${rows}`, '--from', 'listmonk')
    expect(report).toMatchObject([
      { line: 2, error: 'MalformedRow', message: expect.stringContaining('Remove the apostrophe') },
      { rows: 2, imported: 1, refused: 1 },
    ])
    expect(await stored()).toEqual({ 'ann@example.com': expect.objectContaining({ name: '=Ann' }) })
  })

  it('confirms nobody without a date in the file', async () => {
    const text =
      'email,subscribed_to_emails,created_at\nann@example.com,true,\nben@example.com,true,2024-01-01T00:00:00Z\n'
    await take('members.csv', text, '--from', 'ghost', ...EVIDENCE)
    expect(await statuses()).toEqual({ 'ann@example.com': 'pending', 'ben@example.com': 'confirmed' })
  })

  it('takes the members of Ghost who get one newsletter', async () => {
    const { report } = await take('members.csv', exported('ghost/members-of-one-newsletter.csv'), '--from', 'ghost')
    expect(report).toMatchObject([{ rows: 2, imported: 2, pending: 2 }])
    expect(Object.keys(await stored()).toSorted()).toEqual(['cleo@example.org', 'dan@example.com'])
  })

  it('takes the archive of Mailchimp: a double opt-in is evidence, and nothing less', async () => {
    const { exitCode, report } = await take('audience_export.zip', zipArchive(MAILCHIMP), '--from', 'mailchimp')
    expect(exitCode).toBe(0)
    const leftOut = (kind: string, message: string) => ({
      ...{ file: `${AUDIENCE}/${kind}_email_${AUDIENCE}.csv`, line: 2, error: 'LeftOut' },
      message: expect.stringContaining(message),
    })
    expect(report).toEqual([
      leftOut('cleaned', 'bounced'),
      leftOut('nonsubscribed', 'never subscribed'),
      {
        ...{ rows: 11, imported: 9, unchanged: 0, refused: 0, confirmed: 2, pending: 5, ended: 2 },
        ...{ interrupted: false, left_out: 2, ignored: expect.arrayContaining(['Address', 'UNSUB_REASON', 'NOTES']) },
      },
    ])
    expect(await statuses()).toEqual({
      'ada@example.com': 'confirmed',
      // Added by an administrator.
      'bo@example.com': 'pending',
      // A single opt-in, without and with the address that it came from.
      'cy@example.com': 'pending',
      'ed@example.com': 'pending',
      // Signed up by a program of the owner.
      'di@example.com': 'pending',
      // A confirmation that came from nowhere.
      'flo@example.com': 'pending',
      'zoe@example.com': 'confirmed',
      'gus@example.com': 'ended',
      'hal@example.com': 'ended',
    })
    const all = await stored()
    expect(all['ada@example.com']).toMatchObject({
      name: 'Ada Lind',
      createdAt: Date.UTC(2024, 2, 1, 8, 30),
      confirmedAt: Date.UTC(2024, 2, 1, 8, 31, 40),
    })
    expect(all['ed@example.com']).toMatchObject({ name: "Ed O'Dea, Jr." })
    expect(all['gus@example.com']).toMatchObject({ endedAt: Date.UTC(2024, 0, 1, 8, 31, 40) })
    expect((await consentsOf('ada@example.com')).map(({ deed, at }) => [deed, at])).toEqual([
      ['requested', Date.UTC(2024, 2, 1, 8, 30)],
      ['confirmed', Date.UTC(2024, 2, 1, 8, 31, 40)],
    ])
  })

  it('takes an old archive of Mailchimp: one column for the name, and columns of a former import', async () => {
    const { exitCode, report } = await take('members_export.zip', zipArchive(OLD_MAILCHIMP), '--from', 'mailchimp')
    expect(exitCode).toBe(0)
    expect(report.at(-1)).toMatchObject({ rows: 5, imported: 4, confirmed: 1, pending: 1, ended: 2, left_out: 1 })
    const all = await stored()
    expect(all['kim@example.org']).toMatchObject({ name: 'Kim Berg', status: 'confirmed' })
    expect(all['lou@example.org']).toMatchObject({ status: 'pending', createdAt: Date.UTC(2013, 5, 25, 18, 29, 10) })
    expect(all['nat@example.org']).toMatchObject({ status: 'ended', endedAt: Date.UTC(2012, 10, 5, 11) })
    // They came back, says Mailchimp; that they had left, says the file, too.
    expect(all['mel@example.org']).toMatchObject({ status: 'ended' })
  })

  it.each([
    [
      'of a German account',
      'subscribed_segment_export_0b1a2c3d4e.csv',
      'peter@example.com',
      'Peter Muster',
      'confirmed',
    ],
    ['of a German account', 'subscribed_segment_export_0b1a2c3d4e.csv', 'max@example.com', 'Max Jäger', 'pending'],
    [
      'that names its columns anew',
      'subscribed_members_export_1c2d3e4f5a.csv',
      'quin@example.com',
      'Quin Ray',
      'pending',
    ],
    ['with columns twice', 'subscribed_members_export_2d3e4f5a6b.csv', 'ria@example.com', 'Ria', 'confirmed'],
  ])('takes a file of Mailchimp %s: %s, %s', async (_, file, email, name, status) => {
    // Some programs put a byte order mark in front.
    for (const mark of ['', '\ufeff']) {
      const { exitCode } = await take(file, `${mark}${exported(`mailchimp/${file}`)}`, '--from', 'mailchimp')
      expect(exitCode).toBe(0)
      expect((await stored())[email]).toMatchObject({ name, status })
    }
  })

  it('guesses no column of Mailchimp where two may have the address', async () => {
    const text = '"Your e-mail",Email,CONFIRM_TIME\nann@example.com,boss@example.com,\n'
    const { exitCode, stderr } = await take('subscribed_members_export.csv', text, '--from', 'mailchimp')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("no column 'Email Address'")])
    await take('subscribed_members_export.csv', text, '--from', 'mailchimp', '--map', 'email=Your e-mail')
    expect(await statuses()).toEqual({ 'ann@example.com': 'pending' })
  })

  it('takes one file of Mailchimp by its name there, and those with a tag', async () => {
    const file = `subscribed_email_${AUDIENCE}.csv`
    const text = exported(`mailchimp/${AUDIENCE}/${file}`)
    const { report } = await take(file, text, '--from', 'mailchimp', '--list', 'weekly')
    expect(report).toMatchObject([{ rows: 2, confirmed: 1, pending: 1 }])
    const others = await take(file, text, '--from', 'mailchimp', '--list', 'VIP, gold')
    expect(others.report).toMatchObject([{ rows: 2, imported: 1, unchanged: 1 }])
  })

  it('names the labels and tags of the file if nobody has the given one', async () => {
    const ghost = await take('members.csv', GHOST, '--from', 'ghost', '--list', 'Wekly')
    expect([ghost.exitCode, ghost.report]).toEqual([2, []])
    expect(ghost.stderr).toMatch(/Nobody in the file has 'Wekly'. Give --list one of .*'Weekly'/)
    const archive = zipArchive(MAILCHIMP)
    const mailchimp = await take('audience_export.zip', archive, '--from', 'mailchimp', '--list', 'gold')
    expect([mailchimp.exitCode, mailchimp.stderr]).toEqual([2, expect.stringContaining("'VIP, gold'")])
    const bare = 'email,subscribed_to_emails,labels\nann@example.com,true,\n'
    expect((await take('bare.csv', bare, '--from', 'ghost', '--list', 'A')).stderr).toContain('Leave --list out')
    expect(await stored()).toEqual({})
  })

  it('says once that there is no such feed, and not for each row', async () => {
    const { exitCode, report, stderr } = await take('members.csv', GHOST, '--from', 'ghost', '--feed', 'wekly')
    expect([exitCode, report, JSON.parse(stderr)]).toEqual([3, [], expect.objectContaining({ error: 'FeedNotFound' })])
  })

  it('finds the columns behind the line that tells Excel the separator', async () => {
    const excel = '\ufeffsep=;\r\nE-Mail;Email Address;CONFIRM_TIME\r\n;ann@example.com;\r\n'
    const mailchimp = await take('subscribed_email_audience.csv', excel, '--from', 'mailchimp')
    expect(mailchimp.report).toMatchObject([{ rows: 1, imported: 1, pending: 1 }])
    const plain = await take('people.csv', 'sep=,\nname,email\nBen,ben@example.com\n')
    expect(plain.report).toMatchObject([{ rows: 1, imported: 1, refused: 0 }])
  })

  it('takes an archive of Mailchimp that was packed again on a Mac', async () => {
    const litter = Object.keys(MAILCHIMP).map((name) => [`__MACOSX/${name.replace('/', '/._')}`, '\x05\x16\x07'])
    const archive = zipArchive({ ...Object.fromEntries(litter), ...MAILCHIMP })
    const { exitCode, report } = await take('audience_export.zip', archive, '--from', 'mailchimp')
    expect([exitCode, report.at(-1)]).toMatchObject([0, { imported: 9 }])
  })

  it('refuses an archive with a file whose name does not say who is in it, but not for telephone numbers', async () => {
    const people = exported(`mailchimp/${AUDIENCE}/unsubscribed_email_${AUDIENCE}.csv`)
    const renamed = zipArchive({ ...MAILCHIMP, 'left.csv': people })
    const { exitCode, stderr } = await take('audience_export.zip', renamed, '--from', 'mailchimp')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'left.csv'")])
    expect(await stored()).toEqual({})
    const numbers = zipArchive({ ...MAILCHIMP, [`subscribed_sms_${AUDIENCE}.csv`]: 'Phone\n' })
    expect((await take('audience_export.zip', numbers, '--from', 'mailchimp')).exitCode).toBe(0)
    const folder = Object.entries(MAILCHIMP).map(([name, text]) => [`our_sms_people/${name}`, text])
    const moved = await take('moved.zip', zipArchive(Object.fromEntries(folder)), '--from', 'mailchimp')
    expect(moved.report.at(-1)).toMatchObject({ unchanged: 9 })
  })

  it('stops before anything is stored if one file of an archive has a column that speaks of leaving', async () => {
    const [head = '', ...rows] = (MAILCHIMP[`${AUDIENCE}/subscribed_email_${AUDIENCE}.csv`] ?? '').split('\n')
    const wider = [`${head.trimEnd()},Unsubscribed weekly`, ...rows.filter(Boolean).map((row) => `${row.trimEnd()},no`)]
    const archive = zipArchive({ ...MAILCHIMP, [`${AUDIENCE}/subscribed_email_${AUDIENCE}.csv`]: wider.join('\n') })
    const { exitCode, stderr } = await take('audience.zip', archive, '--from', 'mailchimp')
    expect([exitCode, await statuses()]).toEqual([3, {}])
    expect(stderr).toContain('--ignore')
    expect(stderr).not.toContain('--map status')
  })

  it('refuses an archive of several audiences: each has its own feed', async () => {
    const archive = zipArchive({ ...MAILCHIMP, ...OLD_MAILCHIMP })
    const { exitCode, stderr } = await take('account_export.zip', archive, '--from', 'mailchimp')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('several audiences')])
    expect(await stored()).toEqual({})
  })

  it.each([
    ['a file that does not say which contacts it holds', 'list.csv', ['--from', 'mailchimp'], /does not say which/],
    ['a file that is no archive', 'list.zip', ['--from', 'mailchimp'], /as a ZIP archive/],
    ['half of an evidence', 'list.csv', ['--from', 'ghost', '--consent', 'By letter'], /--confirmed-at together/],
    [
      'an evidence of a day to come',
      'list.csv',
      ['--from', 'ghost', '--consent', 'By letter', '--confirmed-at', '9999-01-31'],
      /a day that has come/,
    ],
    ['an archive of Ghost', 'members.zip', ['--from', 'ghost'], /Unpack it/],
    ['a list of listmonk', 'list.csv', ['--from', 'listmonk', '--list', 'A'], /names no lists/],
    ['a format beside it', 'list.csv', ['--from', 'ghost', '--format', 'csv'], /cannot be used with/],
    ['an option without it', 'list.csv', ['--feed', 'weekly'], /--feed goes with --from/],
    ['a meaning that is known', 'list.csv', ['--from', 'ghost', '--status', 'a=ended'], /--status is for other files/],
    ['a service that there is not', 'list.csv', ['--from', 'aweber'], /listmonk, ghost, mailchimp/],
    ['a file of another service', 'list.csv', ['--from', 'listmonk'], /'email'/],
  ])('exits 2 and says what is wrong with %s', async (_, name, options, sentence) => {
    const { exitCode, stderr, report } = await take(name, 'name\nA\n', ...options)
    expect({ exitCode, report }).toEqual({ exitCode: 2, report: [] })
    expect(stderr).toMatch(/"error"/)
    expect(stderr).toMatch(sentence)
  })
})
