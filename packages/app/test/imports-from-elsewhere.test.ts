import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jsonLines, OPERATOR, RemoteService } from './remote-service.ts'
import { zipArchive } from './zip-archive.ts'

// As cmd/subscribers.go of listmonk writes it: encoding/csv, and times by Time.String().
const LISTMONK = [
  'uuid,email,name,attributes,status,created_at,updated_at',
  '1b2c,ann@example.com,Ann,"{""city"": ""Oslo"", ""note"": ""a, b""}",enabled,2024-03-01 10:30:00.123456 +0200 CEST,2024-03-01 10:30:00.123456 +0200 CEST',
  '2b2c,ben@example.com,"Ben, the 2nd",{},blocklisted,2024-03-02 08:30:00 +0000 UTC,2024-03-02 08:30:00 +0000 UTC',
  '3b2c,cleo@example.com,Cleo,{},disabled,2024-03-02 08:30:00 +0000 UTC,2024-03-02 08:30:00 +0000 UTC',
  '4b2c,not an address,Dan,{},enabled,2024-03-02 08:30:00 +0000 UTC,2024-03-02 08:30:00 +0000 UTC',
  '5b2c,late@example.com,Late,{},enabled,2025-08-02 08:30:00 +0000 UTC,2025-08-02 08:30:00 +0000 UTC',
  '',
].join('\n')

// As Ghost's members-csv writes it with papaparse: CRLF, no end after the last row.
const GHOST = [
  'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers',
  '64a1,ann@example.com,Ann,"Early supporter,\nfriend",true,false,,2024-03-01T08:30:00.000Z,,"Weekly,VIP",Free',
  '64a2,ben@example.com,Ben,,false,false,cus_1,2024-03-02T08:30:00.000Z,,Weekly,Gold',
  '64a3,cleo@example.com,,,true,false,,2024-03-03T08:30:00.000Z,,Monthly,Free',
].join('\r\n')

const MAILCHIMP_HEAD =
  '"Email Address","First Name","Last Name",Birthday,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,LEID,EUID,NOTES,TAGS'
const MAILCHIMP = {
  'audience_export_1a/subscribed_email_audience_export_1a.csv': `${MAILCHIMP_HEAD}
ann@example.com,Ann,Lee,,2,"2024-03-01 08:30:00",203.0.113.9,"2024-03-01 08:31:40",203.0.113.9,,,,,,,,"2024-03-01 08:31:40",1,aa11,,"""Weekly"",""VIP"""
ben@example.com,Ben,,,2,,,"2024-03-02 08:30:00",198.51.100.7,,,,,,,,"2024-03-02 08:30:00",2,bb22,,
single@example.com,Sue,,,2,"2024-03-02 08:30:00",,"2024-03-02 08:30:00",198.51.100.7,,,,,,,,"2024-03-02 08:30:00",3,cc33,,
`,
  'audience_export_1a/unsubscribed_email_audience_export_1a.csv': `${MAILCHIMP_HEAD},UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER
left@example.com,Lea,,,2,"2023-03-01 08:30:00",203.0.113.9,"2023-03-01 08:31:40",203.0.113.9,,,,,,,,"2024-01-01 08:31:40",4,dd44,,,"2024-01-01 08:31:40",News,5,NORMAL,
`,
  'audience_export_1a/cleaned_email_audience_export_1a.csv': `${MAILCHIMP_HEAD},CLEAN_TIME
bounced@example.com,Bob,,,2,"2023-03-01 08:30:00",203.0.113.9,"2023-03-01 08:31:40",203.0.113.9,,,,,,,,"2024-01-01 08:31:40",5,ee55,,,"2024-01-01 08:31:40"
`,
  'audience_export_1a/readme.txt': 'Thank you.',
}

const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }

describe.each(['here', 'over HTTP'])('subscription import --from, %s', (where) => {
  let service: RemoteService
  let folder: string
  let run: (argv: readonly string[]) => ReturnType<RemoteService['runHere']>
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-imports-'))
    service = await RemoteService.open()
    const away = await service.commandLine()
    run = where === 'here' ? (argv) => service.runHere(argv) : (argv) => away(argv)
    await service.composition.useCases.putFeed.execute({ name: 'weekly', title: 'Weekly' }, OPERATOR)
  })
  afterEach(async () => {
    await service[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const take = async (name: string, content: string | Buffer, ...options: readonly string[]) => {
    const file = path.join(folder, name)
    await writeFile(file, content)
    const { exitCode, stdout, stderr } = await run(['subscription', 'import', file, '--json', ...options])
    return { exitCode, stderr, report: stdout === '' ? [] : jsonLines(stdout) }
  }
  const stored = async () => {
    const { listSubscriptions } = service.composition.useCases
    const { items } = await listSubscriptions.execute({ limit: 200 }, OPERATOR)
    return Object.fromEntries(items.map((one) => [one.email, one]))
  }

  it('refuses a file that does not say who left: the wrong service, or a column that was removed', async () => {
    for (const [content, from, column] of [
      [GHOST, 'listmonk', 'status'],
      [LISTMONK, 'ghost', 'subscribed_to_emails'],
      ['email,name\nben@example.com,Ben\n', 'ghost', 'subscribed_to_emails'],
    ] as const) {
      const { exitCode, stderr } = await take('people.csv', content, '--from', from)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`no column '${column}'`)])
    }
    expect(await stored()).toEqual({})
  })

  it('refuses a row that does not say whether its person left', async () => {
    const ghost = 'email,subscribed_to_emails\nann@example.com,FALSCH\nben@example.com,\ncleo@example.com,TRUE\n'
    const listmonk = 'email,status\ndan@example.com,\neve@example.com,Enabled\n'
    expect((await take('ghost.csv', ghost, '--from', 'ghost')).exitCode).toBe(3)
    expect((await take('listmonk.csv', listmonk, '--from', 'listmonk')).exitCode).toBe(3)
    expect(Object.keys(await stored())).toEqual(['cleo@example.com', 'eve@example.com'])
  })

  it('takes the subscribers of listmonk: pending without evidence, the blocked left out', async () => {
    const { exitCode, report } = await take('subscribers.csv', LISTMONK, '--from', 'listmonk', '--feed', 'weekly')
    expect(exitCode).toBe(3)
    expect(report.at(-1)).toMatchObject({ rows: 5, imported: 2, pending: 2, confirmed: 0, refused: 1, left_out: 2 })
    expect(report.slice(0, -1)).toEqual(
      expect.arrayContaining([
        { line: 3, error: 'LeftOut', message: expect.stringContaining('blocklist') },
        { line: 4, error: 'LeftOut', message: expect.stringContaining('disabled') },
        expect.objectContaining({ line: 5, error: 'InvalidInput' }),
      ]),
    )
    const ann = (await stored())['ann@example.com']
    expect(ann).toMatchObject({
      name: 'Ann',
      feed: 'weekly',
      status: 'pending',
      createdAt: Date.UTC(2024, 2, 1, 8, 30, 0, 123),
    })
  })

  it('confirms where the operator says how and by when, but not those who came later', async () => {
    const evidence = ['--consent', 'Double opt-in by listmonk', '--confirmed-at', '2024-12-31']
    await take('subscribers.csv', LISTMONK, '--from', 'listmonk', ...evidence)
    const all = await stored()
    expect(all['ann@example.com']).toMatchObject({ status: 'confirmed', confirmedAt: Date.UTC(2024, 11, 31) })
    expect(all['late@example.com']).toMatchObject({ status: 'pending' })
    const { id } = all['ann@example.com'] ?? { id: 0 }
    const { consents } = await service.composition.useCases.getConsent.execute({ subscriptionId: String(id) }, OPERATOR)
    expect(consents).toMatchObject([{ deed: 'confirmed', wording: 'Double opt-in by listmonk', via: 'import' }])
  })

  it('takes the members of Ghost with a label: who unsubscribed has ended', async () => {
    const { exitCode, report } = await take(
      'members.csv',
      GHOST,
      '--from',
      'ghost',
      '--list',
      'weekly',
      '--feed',
      'weekly',
    )
    expect(exitCode).toBe(0)
    expect(report).toMatchObject([{ rows: 2, imported: 2, pending: 1, ended: 1, refused: 0 }])
    const all = await stored()
    expect(all['ann@example.com']).toMatchObject({ feed: 'weekly', status: 'pending' })
    expect(all['ben@example.com']).toMatchObject({ status: 'ended' })
    expect(all['cleo@example.com']).toBeUndefined()
  })

  it('takes the archive of Mailchimp: a double opt-in is evidence, and nothing less', async () => {
    const { exitCode, report } = await take('audience_export.zip', zipArchive(MAILCHIMP), '--from', 'mailchimp')
    expect(exitCode).toBe(0)
    expect(report).toEqual([
      {
        file: 'audience_export_1a/cleaned_email_audience_export_1a.csv',
        line: 2,
        error: 'LeftOut',
        message: expect.stringContaining('bounced'),
      },
      {
        ...{ rows: 5, imported: 4, unchanged: 0, refused: 0, confirmed: 1, pending: 2, ended: 1 },
        ...{ interrupted: false, left_out: 1 },
      },
    ])
    const all = await stored()
    expect(all['ann@example.com']).toMatchObject({
      name: 'Ann Lee',
      status: 'confirmed',
      confirmedAt: Date.UTC(2024, 2, 1, 8, 31, 40),
    })
    expect(all['ben@example.com']).toMatchObject({ status: 'pending' })
    expect(all['single@example.com']).toMatchObject({ status: 'pending' })
    expect(all['left@example.com']).toMatchObject({ status: 'ended', endedAt: Date.UTC(2024, 0, 1, 8, 31, 40) })
    const { id } = all['ann@example.com'] ?? { id: 0 }
    const { consents } = await service.composition.useCases.getConsent.execute({ subscriptionId: String(id) }, OPERATOR)
    expect(consents.map(({ deed, at }) => [deed, at])).toEqual([
      ['requested', Date.UTC(2024, 2, 1, 8, 30)],
      ['confirmed', Date.UTC(2024, 2, 1, 8, 31, 40)],
    ])
  })

  it('takes one file of Mailchimp by its name there, and those with a tag', async () => {
    const [text = ''] = Object.values(MAILCHIMP)
    const { report } = await take(
      'subscribed_email_audience_export_1a.csv',
      text,
      '--from',
      'mailchimp',
      '--list',
      'weekly',
    )
    expect(report).toMatchObject([{ rows: 1, confirmed: 1 }])
  })

  it('never overwrites an end that is here', async () => {
    const { useCases } = service.composition
    const { id } = await useCases.subscribe.execute({ email: 'ann@example.com', source: SOURCE })
    await useCases.endOnBehalf.execute({ subscriptionId: String(id), reason: 'by letter' }, OPERATOR)
    const { report } = await take('audience_export.zip', zipArchive(MAILCHIMP), '--from', 'mailchimp')
    expect(report.at(-1)).toMatchObject({ imported: 3, unchanged: 1, confirmed: 0 })
    expect((await stored())['ann@example.com']).toMatchObject({ status: 'ended' })
  })

  /** 'This was not me', by the link in the mail. */
  const refuse = async (email: string) => {
    const { useCases, config } = service.composition
    await useCases.subscribe.execute({ email, source: SOURCE })
    await useCases.deliverOutbox.execute({ limit: 10 })
    const mails = path.join(path.dirname(config.databaseFile), 'mail')
    const [mail = ''] = (await readdir(mails)).filter((name) => name.endsWith('.eml'))
    const text = (await readFile(path.join(mails, mail), 'utf8')).replace(/=\r\n/g, '')
    const token = /\/refuse\/([0-9a-f.]+)/.exec(text)?.[1] ?? ''
    await useCases.refuseSubscription.execute({ token, source: SOURCE })
  }

  const evidence = ['--consent', 'They said so there', '--confirmed-at', '2024-12-31']
  it.each<[string, string | Buffer, readonly string[]]>([
    ['listmonk', LISTMONK.replace('blocklisted', 'enabled').replace('disabled', 'enabled'), evidence],
    ['ghost', GHOST.replace('Ben,,false', 'Ben,,true'), evidence],
    ['mailchimp', zipArchive(MAILCHIMP), []],
  ])('brings back from %s neither who refused here nor who is blocked', async (from, content, options) => {
    await refuse('ann@example.com')
    const list = path.join(folder, 'suppressed.csv')
    await writeFile(list, 'email,cause\nben@example.com,unsubscribed\n')
    expect((await run(['suppression', 'import', list])).exitCode).toBe(0)
    const before = await stored()
    const name = from === 'mailchimp' ? 'list.zip' : 'list.csv'
    const { exitCode, report } = await take(name, content, '--from', from, '--mail', 'send', ...options)
    expect(exitCode).toBe(3)
    const refusals = report.filter((line) => (line as { error?: string }).error === 'Suppressed')
    expect(refusals).toHaveLength(2)
    expect(JSON.stringify(refusals)).not.toMatch(/(ann|ben)@/)
    expect(report.at(-1)).toMatchObject({ unchanged: 0 })
    const { 'ann@example.com': ann, 'ben@example.com': ben, ...others } = await stored()
    expect(ann).toEqual(before['ann@example.com'])
    expect([ann?.status, ben]).toEqual(['ended', undefined])
    // The same file takes those whom nothing holds back.
    expect(Object.keys(others).length).toBeGreaterThan(0)
    const { items } = await service.composition.useCases.listSuppressions.execute({}, OPERATOR)
    expect(items.map(({ cause }) => cause).toSorted()).toEqual(['blocked', 'refused'])
  })

  it.each([
    ['a file that does not say which contacts it holds', 'list.csv', ['--from', 'mailchimp'], /does not say which/],
    ['a file that is no archive', 'list.zip', ['--from', 'mailchimp'], /as a ZIP archive/],
    ['half of an evidence', 'list.csv', ['--from', 'ghost', '--consent', 'By letter'], /--confirmed-at together/],
    ['a list of listmonk', 'list.csv', ['--from', 'listmonk', '--list', 'A'], /names no lists/],
    ['a format beside it', 'list.csv', ['--from', 'ghost', '--format', 'csv'], /cannot be used with/],
    ['an option without it', 'list.csv', ['--feed', 'weekly'], /--feed goes with --from/],
    ['a service that there is not', 'list.csv', ['--from', 'aweber'], /listmonk, ghost, mailchimp/],
    ['a file of another service', 'list.csv', ['--from', 'listmonk'], /'email'/],
  ])('exits 2 and says what is wrong with %s', async (_, name, options, sentence) => {
    const { exitCode, stderr, report } = await take(name, 'name\nA\n', ...options)
    expect({ exitCode, report }).toEqual({ exitCode: 2, report: [] })
    expect(stderr).toMatch(/"error"/)
    expect(stderr).toMatch(sentence)
  })
})
