import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli } from './terminal.ts'

const CSV = 'id,email,name,roles\nada,ada.mail@example.com,Ada,admin auditor\nbrian,b@example.com,,\neve,no address,,\n'

describe('rollcall user import', () => {
  const folder = temporaryFolder()

  it('adds users from a file, shows what it refused, and exits 3 for that', async () => {
    const { run, putUser, storage } = openTestCli()
    await putUser('brian')
    const file = await folder.write('staff.csv', CSV)
    const report = folder.path('report.ndjson')
    const { exitCode, stdout } = await run(['user', 'import', file, '--report', report])
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^LINE +WHY IT WAS NOT IMPORTED\n3 +There is a user of this id, .*\n4 +'email': .*\n\n/)
    expect(stdout).toMatch(/\n *Added +1\n *Refused +2\n$/)
    expect((await storage.readers.users.list({ after: 0, limit: 9 })).items.map(({ id }) => id)).toEqual([
      'brian',
      'ada',
    ])
    expect(jsonLines(await folder.read('report.ndjson'))).toMatchObject([
      ...[{ line: 3, error: 'UserExists' }],
      ...[
        { line: 4, error: 'InvalidInput' },
        { rows: 3, imported: 1, refused: 2, interrupted: false },
      ],
    ])
  })

  it('says in a dry run what would happen', async () => {
    const { run, storage } = openTestCli()
    const argv = ['user', 'import', '-', '--format', 'csv', '--dry-run', '--map', 'id=login']
    const stdin = 'login,email\nada,ada.mail@example.com\n'
    expect(await run(argv, { stdin })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/Would be added +1\n/),
    })
    expect((await storage.readers.users.list({ after: 0, limit: 9 })).items).toEqual([])
    const { stdout } = await run([...argv, '--json'], { stdin })
    expect(jsonLines(stdout)).toEqual([{ rows: 1, imported: 1, refused: 0, interrupted: false, dry_run: true }])
  })

  it('exits 2 for a field that is unknown, and a format that the name does not tell', async () => {
    const { run } = openTestCli()
    const stdin = '{"id":"a","email":"a.mail@example.com"}\n'
    for (const argv of [['-'], ['-', '--format', 'ndjson', '--map', 'king=x']])
      expect((await run(['user', 'import', ...argv], { stdin })).exitCode).toBe(2)
  })
})

describe('rollcall user import of a file that says more', () => {
  const folder = temporaryFolder()
  const idsIn = async ({ storage }: ReturnType<typeof openTestCli>) =>
    (await storage.readers.users.list({ after: 0, limit: 9 })).items.map(({ id }) => id)

  it.each([
    ['role', /what users may do.*--map roles=role/],
    ['is_admin', /what users may do/],
    ['roels', /Did you mean 'roles'\?/],
    ['disabled', /has no access any more/],
    ['suspended', /has no access any more/],
    ['deleted_at', /has no access any more/],
  ])('stops where a column %s would be dropped, until that is ignored by name', async (column, sentence) => {
    const cli = openTestCli()
    const file = await folder.write('staff.csv', `id,email,${column}\nada,ada.mail@example.com,\n`)
    const { exitCode, stderr } = await cli.run(['user', 'import', file])
    expect([exitCode, await idsIn(cli)]).toEqual([3, []])
    expect(stderr).toMatch(sentence)
    expect((await cli.run(['user', 'import', file, '--ignore', column])).exitCode).toBe(0)
    expect(await idsIn(cli)).toEqual(['ada'])
  })

  it('refuses rows of users who may have no access any more, and names what it does not use', async () => {
    const cli = openTestCli()
    const rows =
      'id,email,status,team\na,a.a@example.com,active,x\nb,b.b@example.com,disabled,x\nc,c.c@example.com,resting,x\n'
    const { exitCode, stdout } = await cli.run(['user', 'import', await folder.write('staff.csv', rows)])
    expect([exitCode, await idsIn(cli)]).toEqual([3, ['a']])
    expect(stdout).toMatch(/^3 +'status': 'disabled' may say that this user has no access/m)
    expect(stdout).toMatch(/^4 +'status': Whether 'resting' means that this user has access is not clear/m)
    expect(stdout).toContain("Not used: 'status', 'team'\n")
  })
})
