import { expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, OPERATOR, openTestCli } from './terminal.ts'

const folder = temporaryFolder()

const take = async (file: string, ...options: readonly string[]) => {
  const { run, useCases } = openTestCli()
  const name = await folder.write('people.csv', file)
  const { exitCode, stdout, stderr } = await run(['subscription', 'import', name, '--json', ...options])
  const { listSubscriptions, listOutbox } = useCases
  const { items } = await listSubscriptions.execute({ limit: 200 }, OPERATOR)
  const mails = await listOutbox.execute({ limit: 200 }, OPERATOR)
  return {
    ...{ exitCode, stderr, report: stdout === '' ? [] : jsonLines(stdout) },
    people: Object.fromEntries(items.map(({ email, status }) => [email.split('@')[0], status])),
    mailed: mails.items.length,
    names: items.map(({ name }) => name),
  }
}

interface Export {
  readonly from: string
  readonly head: string
  readonly rows: readonly string[]
}

// `stay` is asked to confirm; `left` and its like have ended; of `back`, mails came back; `odd` says what is not known.
const EXPORTS: readonly Export[] = [
  {
    from: 'buttondown',
    head: 'email,notes,metadata,tags,referrer_url,creation_date,secondary_id,type,source,utm_campaign,unsubscription_date,undeliverability_date',
    rows: [
      'stay@example.com,,{},,,2024-01-10T08:30:00+00:00,1,regular,embedded_form,,,',
      'left@example.com,,{},,,2024-01-10T08:30:00+00:00,3,unsubscribed,embedded_form,,2024-05-01T00:00:00+00:00,',
      'left2@example.com,,{},,,2024-01-10T08:30:00+00:00,3,complained,embedded_form,,1/5/2024 8:30,',
      'back@example.com,,{},,,2024-01-10T08:30:00+00:00,4,undeliverable,,,,2024-05-01T00:00:00+00:00',
      'odd@example.com,,{},,,2024-01-10T08:30:00+00:00,5,hibernating,,,,',
      'odd2@example.com,,{},,,2024-01-10T08:30:00+00:00,5,regular,,,2024-05-01T00:00:00+00:00,',
    ],
  },
  {
    from: 'substack',
    head: 'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at',
    rows: [
      'stay@example.com,false,,other,false,2025-01-01T00:00:00.000Z,',
      'left@example.com,true,2027-01-01T00:00:00.000Z,yearly,true,2025-01-01T00:00:00.000Z,',
      'odd@example.com,false,,other,,2025-01-01T00:00:00.000Z,',
    ],
  },
  {
    from: 'beehiiv',
    head: 'Email,Status,Created At,Subscription Tier',
    rows: [
      'stay@example.com,Active,2025-10-10 10:10:10,free',
      'left@example.com,Inactive,2025-11-11 11:11:11,free',
      'back@example.com,Invalid,2025-11-11 11:11:11,free',
      'odd@example.com,Dormant,2025-11-11 11:11:11,free',
    ],
  },
  {
    from: 'beehiiv',
    head: 'subscriber_id,email,status,subscribed_at,unsubscribed_at,tier,utm_source',
    rows: [
      '1,stay@example.com,pending,2025-10-10T10:10:10Z,,free,x',
      '2,left@example.com,inactive,2025-10-10T10:10:10Z,2025-12-10T10:10:10Z,free,x',
    ],
  },
  {
    from: 'ghost',
    head: 'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers,newsletters',
    rows: [
      '1,stay@example.com,Ann,,true,false,,2025-01-01T00:00:00.000Z,,,,"Weekly,Daily"',
      '2,left@example.com,Ben,,false,false,,2025-01-01T00:00:00.000Z,,,,',
    ],
  },
  {
    from: 'kit',
    head: 'id,first_name,email_address,state,created_at,tags',
    rows: [
      '1,Ann,stay@example.com,inactive,2023-01-27T11:43:55Z,VIP',
      '2,Ben,left@example.com,cancelled,2023-01-27T11:43:55Z,',
      '3,Cy,back@example.com,bounced,2023-01-27T11:43:55Z,',
      '4,Di,odd@example.com,OR,2023-01-27T11:43:55Z,',
    ],
  },
  {
    from: 'brevo',
    head: 'CONTACT ID;EMAIL;FIRSTNAME;LASTNAME;SMS;DOUBLE_OPT-IN;EMAIL_BLACKLISTED;ADDED_TIME;MODIFIED_TIME',
    rows: [
      '1;stay@example.com;Ann;Lee;;2;0;10-01-2024;10-01-2024',
      '2;left@example.com;Ben;Lee;;1;1;10-01-2024;10-01-2024',
      '3;odd@example.com;Cy;Lee;;1;;10-01-2024;10-01-2024',
    ],
  },
  {
    from: 'mailman',
    head: 'address,display_name,delivery_mode,delivery_status,role',
    rows: [
      'stay@example.com,Ann,regular,enabled,member',
      'left@example.com,Ben,regular,by_user,member',
      'back@example.com,Cy,regular,by_bounces,member',
      'odd@example.com,Di,regular,,member',
    ],
  },
]

it.each(EXPORTS)('who left $from is never mailed, and who stayed is asked to confirm', async ({ from, head, rows }) => {
  const { people, mailed, report, stderr } = await take(
    [head, ...rows, ''].join('\n'),
    '--from',
    from,
    '--mail',
    'send',
  )
  expect(stderr).toBe('')
  const named = (kind: string) => rows.filter((row) => new RegExp(`${kind}\\d?@`).test(row)).length
  const left = Object.entries(people).filter(([name]) => name !== 'stay')
  expect(left.map(([name, status]) => `${name.replace(/\d/, '')} ${status}`)).toEqual(
    Array.from({ length: named('left') }, () => 'left ended'),
  )
  expect([people.stay, mailed]).toEqual(['pending', 1])
  expect(report.filter((line) => JSON.stringify(line).includes('"LeftOut"'))).toHaveLength(named('back'))
  expect(report.at(-1)).toMatchObject({ refused: named('odd'), ended: named('left'), pending: 1 })
})

it.each([...new Set(EXPORTS.map(({ from }) => from))])('a file of %s that lacks who left is refused', async (from) => {
  const { exitCode, stderr, people } = await take('email,name\nann@example.com,Ann\n', '--from', from)
  expect([exitCode, people]).toEqual([2, {}])
  expect(stderr).toMatch(/names no column '.*, which an export of .* has\..* without --from/)
})

// Each with one who is confirmed by the evidence, and one of whom the service itself says that nobody confirmed.
it.each([
  ['buttondown', 'email,type,creation_date', ['sure,regular', 'unsure,unactivated']],
  ['beehiiv', 'Email,Status,Created At', ['sure,Active', 'unsure,Pending']],
  ['kit', 'email_address,state,created_at', ['sure,active', 'unsure,inactive']],
  ['brevo', 'EMAIL,EMAIL_BLACKLISTED,OPT_IN,ADDED_TIME', ['sure,0,Yes', 'unsure,0,No']],
  ['mailman', 'email,delivery_status,role,created_on', ['sure,enabled,member', 'unsure,enabled,nonmember']],
])('evidence is none about whom %s has as unconfirmed', async (from, head, rows) => {
  const file = [head, ...rows.map((row) => `${row.replace(',', '@example.com,')},2024-01-10`), ''].join('\n')
  const { people } = await take(file, '--from', from, '--consent', 'Double opt-in', '--confirmed-at', '2024-02-01')
  expect(people).toEqual({ sure: 'confirmed', unsure: 'pending' })
})

it('evidence goes by days as spreadsheets write them', async () => {
  const file = 'Email,Status,Created At,First Name,Last Name\na@example.com,Active,10.01.2024 08:30,Ann,Lee\n'
  const evidence = ['--consent', 'Double opt-in', '--confirmed-at', '2024-01-10']
  const { people, names } = await take(file, '--from', 'beehiiv', ...evidence)
  expect([people, names]).toEqual([{ a: 'confirmed' }, ['Ann Lee']])
})

it('lists of suppressed addresses, updates and files for Excel are taken', async () => {
  const { run } = openTestCli()
  const last = async (...argv: readonly string[]) => {
    const { exitCode, stdout, stderr } = await run([...argv, '--json'])
    return [exitCode, stderr, jsonLines(stdout).at(-1)]
  }
  const list = 'Address,Why,When\nx@example.com,Bad Email,1704893400\ny@example.com,,1/2/2024\n'
  const suppressed = await folder.write('s.csv', list)
  const told = ['--map', 'email=Address', '--map', 'cause=Why', '--map', 'at=When', '--cause', 'complaint']
  const unread = [{ field: 'at', value: '1/2/2024', count: 1 }]
  expect(await last('suppression', 'import', suppressed, ...told)).toMatchObject([
    ...[0, ''],
    { imported: 2, blocked: 1, undeliverable: 1, unread },
  ])
  const people = await folder.write('p.csv', 'email,name\n=ann@example.com,Ann\n')
  expect(await last('subscription', 'import', people)).toMatchObject([0, '', { imported: 1 }])
  const later = await folder.write('l.csv', 'email,name\n=ann@example.com,0049\n')
  expect(await last('subscription', 'import', later)).toMatchObject([0, '', { unchanged: 1 }])
  expect(await last('subscription', 'import', later, '--update', 'name')).toMatchObject([0, '', { updated: 1 }])
  const excel = folder.path('excel.csv')
  expect((await run(['subscription', 'export', '--excel', '--output', excel])).exitCode).toBe(0)
  const text = await folder.read('excel.csv')
  expect([text.charCodeAt(0), text]).toEqual([
    0xfeff,
    expect.stringContaining('"=""=ann@example.com""","=""0049""","=""'),
  ])
  expect(await last('subscription', 'import', excel, '--update', 'name')).toMatchObject([
    0,
    '',
    { unchanged: 1, updated: 0 },
  ])
})
