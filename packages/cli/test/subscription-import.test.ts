import { appendFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli } from './terminal.ts'

const GOOD = '{"email":"a@example.com"}\n'
const ROWS = `${GOOD}{"email":"nobody"}\n{"email":"b@example.com","confirmed_at":"2024-07-02","consent":"At the fair."}\n`

describe('rollcall subscription import', () => {
  const folder = temporaryFolder()
  const fileOf = (text: string, name = 'rows.ndjson') => folder.write(name, text)
  const emailsIn = async ({ storage }: ReturnType<typeof openTestCli>) =>
    (await storage.readers.subscriptions.list({ after: 0, limit: 10_000 })).items.map(({ email }) => email)

  it('reports which rows were refused and why, and how many were not, and exits 3', async () => {
    const cli = openTestCli()
    const { exitCode, stdout } = await cli.run(['subscription', 'import', await fileOf(ROWS)])
    expect(exitCode).toBe(3)
    expect(stdout).toBe(
      [
        'LINE  WHY IT WAS NOT IMPORTED',
        "2     'email': Give an address such as name@example.com.",
        '',
        'Imported        2',
        '  as confirmed  1',
        '  as pending    1',
        '  as ended      0',
        'There already   0',
        'Refused         1',
        '',
      ].join('\n'),
    )
    expect(await emailsIn(cli)).toEqual(['a@example.com', 'b@example.com'])
  })

  it('exits 0 when all rows are good, also when they are all there already', async () => {
    const { run } = openTestCli()
    const path = await fileOf(GOOD)
    expect(await run(['subscription', 'import', path])).toMatchObject({ exitCode: 0 })
    const again = await run(['subscription', 'import', path])
    expect(again.exitCode).toBe(0)
    expect(again.stdout).toMatch(/^There already +1$/m)
  })

  it('takes CSV with the columns by the names that they have there, and sends mail on request', async () => {
    const cli = openTestCli()
    const path = await fileOf('E-Mail,"a=b"\na@example.com,Ann\n', 'rows.CSV')
    const argv = ['subscription', 'import', path, '--map', 'email=E-Mail', '--map', 'name=a=b', '--mail', 'send']
    expect((await cli.run(argv)).exitCode).toBe(0)
    expect(await emailsIn(cli)).toEqual(['a@example.com'])
  })

  it.each(['unsubscribed_email_audience_export_1a2b.csv', 'Abgemeldete.CSV', 'bounces.csv', 'opt-out.csv'])(
    'stops at a file of addresses whose name alone says that they left: %s',
    async (name) => {
      const cli = openTestCli()
      const path = await fileOf('Email Address,id\na@example.com,ended\n', name)
      const argv = ['subscription', 'import', path, '--map', 'email=Email Address', '--mail', 'send']
      const { exitCode, stderr } = await cli.run(argv)
      expect(exitCode).toBe(2)
      expect(stderr).toContain(`The name of ${name} speaks of leaving.`)
      expect(await emailsIn(cli)).toEqual([])
      expect((await cli.run([...argv, '--map', 'status=id'])).exitCode).toBe(0)
    },
  )

  it('reads standard input where its format is given', async () => {
    const cli = openTestCli()
    expect((await cli.run(['subscription', 'import', '-'], { stdin: GOOD })).exitCode).toBe(2)
    const argv = ['subscription', 'import', '-', '--format', 'ndjson']
    expect((await cli.run(argv, { stdin: GOOD })).exitCode).toBe(0)
    expect(await emailsIn(cli)).toEqual(['a@example.com'])
  })

  it('prints the report a line a row for machines, and into a file', async () => {
    const { run } = openTestCli()
    const path = folder.path('report')
    const { stdout } = await run(['subscription', 'import', await fileOf(ROWS), '--json', '--report', path])
    expect(jsonLines(stdout)).toEqual([
      { line: 2, error: 'InvalidInput', message: expect.any(String), details: expect.any(Array) },
      { rows: 3, imported: 2, unchanged: 0, refused: 1, confirmed: 1, pending: 1, ended: 0, interrupted: false },
    ])
    expect(await folder.read('report')).toBe(stdout)
  })

  it('shows the first twenty refused rows, and how many more there are', async () => {
    const { run } = openTestCli()
    const { stdout } = await run(['subscription', 'import', await fileOf('{\n'.repeat(1_234))])
    expect(stdout.match(/^\d+ +This row is not/gm)).toHaveLength(20)
    expect(stdout).toContain('and 1214 more; --json and --report list all.\n')
  })

  it('says in a dry run what would be, and changes nothing', async () => {
    const cli = openTestCli()
    const { exitCode, stdout } = await cli.run(['subscription', 'import', await fileOf(ROWS), '--dry-run'])
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^Would be imported +2$/m)
    expect(stdout).toMatch(/^Would be refused +1$/m)
    expect(await emailsIn(cli)).toEqual([])
  })

  it.each([
    ['a name that does not tell what it is', 'rows.txt', [], /--format ndjson or --format csv/],
    ['a field that there is not', 'rows.csv', ['--map', 'mail=E-Mail'], /'map': Name only these fields/],
    ['a malformed map', 'rows.csv', ['--map', 'email'], /Write it as email="E-Mail"/],
    ['a field that is mapped twice', 'rows.csv', ['--map', 'email=a', '--map', 'email=b'], /each field once/],
    ['a column that is not there', 'rows.csv', ['--map', 'email=E-Mail'], /'map': .*'E-Mail'/],
    ['a format that there is not', 'rows.csv', ['--format', 'xml'], /ndjson, csv/],
    ['an unknown value for mail', 'rows.csv', ['--mail', 'yes'], /send/],
  ])('exits 2 and says what is wrong with %s', async (_, name, options, sentence) => {
    const { run, opened } = openTestCli()
    await fileOf('name\nA\n', 'rows.csv')
    await fileOf('', 'rows.txt')
    const report = folder.path('report')
    const argv = ['subscription', 'import', folder.path(name), '--report', report, ...options]
    const { exitCode, stdout, stderr } = await run(argv)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(opened.times).toBe(opened.closed)
    expect((await folder.list()).sort()).toEqual(['rows.csv', 'rows.txt'])
  })

  it('finishes what is in hand when it is interrupted, reports how far it came, and exits 130', async () => {
    const cli = openTestCli()
    const path = await fileOf(
      Array.from({ length: 6_000 }, (_, n) => `{"email":"${n}@${'a'.repeat(60)}.example"}\n`).join(''),
    )
    const interruption = new AbortController()
    const { run: runUnit } = cli.storage.unitOfWork
    cli.storage.unitOfWork.run = (work) => {
      interruption.abort()
      return runUnit(work)
    }
    const report = folder.path('report')
    const argv = ['subscription', 'import', path, '--report', report]
    const { exitCode, stdout, stderr } = await cli.run(argv, { signal: interruption.signal })
    expect(exitCode).toBe(130)
    const imported = Number(/^Imported +(\d+)$/m.exec(stdout)?.[1])
    expect(imported).toBeGreaterThan(0)
    expect(imported).toBeLessThan(6_000)
    // Behind the progress, if it took more than a second.
    expect(stderr).toMatch(/(?:^|\n)error: Interrupted\. Run the same command again to go on where it stopped\.\n$/)
    expect(jsonLines(await folder.read('report'))).toMatchObject([{ imported, refused: 0, interrupted: true }])
    cli.storage.unitOfWork.run = runUnit
    expect((await cli.run(['subscription', 'import', path])).stdout).toMatch(
      new RegExp(`^There already +${imported}$`, 'm'),
    )
    expect(await emailsIn(cli)).toHaveLength(6_000)
  })

  it('keeps the report of what it took where the file changes while it is read, and exits 3', async () => {
    const cli = openTestCli()
    const rows = Array.from({ length: 6_000 }, (_, n) => `${n}@${'a'.repeat(60)}.example\n`)
    const path = await fileOf(`email\n${rows.join('')}`, 'rows.csv')
    const { run: runUnit } = cli.storage.unitOfWork
    cli.storage.unitOfWork.run = async (work) => {
      await appendFile(path, 'half')
      return await runUnit(work)
    }
    const argv = ['subscription', 'import', path, '--report', folder.path('report')]
    const { exitCode, stdout, stderr } = await cli.run(argv)
    expect(exitCode).toBe(3)
    const imported = Number(/^Imported +(\d+)$/m.exec(stdout)?.[1])
    expect(imported).toBeGreaterThan(0)
    expect(imported).toBeLessThan(6_000)
    expect(stderr).toMatch(/error: '.*rows\.csv' changed while it was read, and the rest of it is not taken\. /)
    expect(jsonLines(await folder.read('report'))).toMatchObject([{ imported, refused: 0, interrupted: true }])
    expect(await emailsIn(cli)).toHaveLength(imported)
  })

  it('is interrupted also while it waits for standard input', async () => {
    const { run } = openTestCli()
    const signal = AbortSignal.timeout(50)
    const argv = ['subscription', 'import', '-', '--format', 'csv']
    const { exitCode } = await run(argv, { signal, answers: [] })
    expect(exitCode).toBe(130)
  })
})

describe('rollcall subscription import of a file that says who left', () => {
  const folder = temporaryFolder()
  const HEAD = 'email,notes,metadata,tags,referrer_url,creation_date,secondary_id,type,source,utm_campaign'
  const row = (letter: string, type: string, left = '') =>
    `exp07${letter}@example.com,,{},,,"2024-01-10T08:30:00+00:00",1,${type},embedded_form,,${left}\n`
  const FILE = `${HEAD},unsubscription_date\n${row('', 'regular')}${row('b', 'unactivated')}${row('c', 'unsubscribed', '2024-05-01T00:00:00+00:00')}`
  const statusesIn = async ({ storage }: ReturnType<typeof openTestCli>) =>
    (await storage.readers.subscriptions.list({ after: 0, limit: 99 })).items.map(({ status }) => status)

  it('stops before anything is stored, says what to do, and exits 3', async () => {
    const cli = openTestCli()
    const file = await folder.write('people.csv', FILE)
    const { exitCode, stdout, stderr } = await cli.run(['subscription', 'import', file, '--mail', 'send'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toContain("error: 'column unsubscription_date': This column speaks of leaving")
    expect(await statusesIn(cli)).toEqual([])
  })

  it('takes what it is told of it, and names the columns that it did not use', async () => {
    const cli = openTestCli()
    const file = await folder.write('people.csv', FILE)
    const meanings = ['regular=pending', 'unactivated=pending', 'unsubscribed=ended'].flatMap((one) => [
      '--status',
      one,
    ])
    const told = ['--map', 'status=type', ...meanings, '--ignore', 'unsubscription_date']
    const { exitCode, stdout } = await cli.run(['subscription', 'import', file, ...told])
    expect(exitCode).toBe(0)
    expect(stdout).toContain("Not used: 'notes', 'metadata', 'tags', 'referrer_url', 'creation_date', 'secondary_id'")
    expect(await statusesIn(cli)).toEqual(['pending', 'pending', 'ended'])
  })

  it('says how many values were left out', async () => {
    const { run } = openTestCli()
    const file = await folder.write('people.csv', 'email,created_at\na@example.com,0000-00-00\nb@example.com,x\n')
    const { exitCode, stdout } = await run(['subscription', 'import', file])
    expect(exitCode).toBe(0)
    expect(stdout).toContain("Left out of created_at, because it cannot be read: 2, such as '0000-00-00'\n")
  })

  it.each([
    ['--status', 'unsubscribed', /Write it as unsubscribed=ended/],
    ['--status', 'unsubscribed=gone', /Write it as unsubscribed=ended/],
    ['--ignor', 'notes', /Did you mean --ignore/],
    ['--dry-runn', '--json', /Did you mean --dry-run/],
    ['--dry-run=no', '--json', /unknown option/i],
  ])('exits 2 for %s %s', async (option, value, sentence) => {
    const cli = openTestCli()
    const file = await folder.write('people.csv', 'email\na@example.com\n')
    const { exitCode, stderr } = await cli.run(['subscription', 'import', file, option, value])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(sentence)
    expect(await statusesIn(cli)).toEqual([])
  })
})
