import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli, Screen } from './terminal.ts'

describe('rollcall user delete of a list', () => {
  const folder = temporaryFolder()
  const fileOf = (text: string): Promise<string> => folder.write('list', text)

  it('goes on past refused rows and ends with a report and exit code 3', async () => {
    const { run, putUser } = openTestCli()
    await putUser('ada', ['admin'])
    for (const id of ['b', 'c', 'd']) await putUser(id)
    const from = await fileOf('\ufeffb\r\nnobody\r\n\r\nada\r\nc\r\nb\r\n')
    const { exitCode, stdout, stderr } = await run(['user', 'delete', '--from', from, '--yes', 'd'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: '' })
    expect(stdout.replace(/[\d.]+ s$/m, '<seconds> s').replace(/(second +)\d+$/m, '$1<rate>')).toBe(
      [
        'ID      WHY IT WAS NOT DELETED',
        'nobody  There is no such user. Check the id.',
        "ada     This user is the last administrator. Give another user the 'admin' role first.",
        '',
        'Deleted               3',
        'Not found             1',
        'Refused               1',
        'Repeated              1',
        'Blank                 1',
        'Subscriptions erased  0',
        'Subscriptions kept    0',
        'Time                  <seconds> s',
        'Rows a second         <rate>',
        'Nothing undoes it.',
        '',
      ].join('\n'),
    )
  })

  it('deletes nobody if standard input is broken at its end', async () => {
    const { run, putUser } = openTestCli()
    await putUser('w1')
    const argv = ['user', 'delete', '--from', '-', '--yes', '--ignore', 'note']
    const { exitCode } = await run(argv, { stdin: 'id,note\nw1,see\nw2\n' })
    expect(exitCode).toBe(2)
    expect((await run(['user', 'show', 'w1'])).exitCode).toBe(0)
  })

  it('prints a document a row and the report as the last with --json', async () => {
    const { run, putUser } = openTestCli()
    await putUser('b')
    const from = await fileOf('name,id\n"Smith, B.",b\nNobody,nobody\n')
    const { exitCode, stdout } = await run(['user', 'delete', '--from', from, '--yes', '--json'])
    expect(exitCode).toBe(3)
    expect(jsonLines(stdout)).toEqual([
      { id: 'b', outcome: 'deleted', subscriptions_erased: 0, subscriptions_kept: 0 },
      { id: 'nobody', outcome: 'not_found', error: 'UserNotFound', message: expect.any(String) },
      { report: report({ deleted: 1, not_found: 1 }) },
    ])
  })

  it('lists the first 20 refused rows and the number of the others', async () => {
    const { run } = openTestCli()
    const from = await fileOf(Array.from({ length: 23 }, (_, at) => `nobody-${at}`).join('\n'))
    const { stdout } = await run(['user', 'delete', '--from', from, '--yes'])
    expect(stdout.match(/^nobody-/gm)).toHaveLength(20)
    expect(stdout).toContain('and 3 more; --report FILE or --json has all.')
    expect(stdout).toMatch(/^Not found +23$/m)
  })

  it('counts who is deleted already as done when it is run again', async () => {
    const { run, putUser } = openTestCli()
    await putUser('b')
    await putUser('c')
    const from = await fileOf('b\nc\n')
    await run(['user', 'delete', '--from', from, '--yes'])
    const { exitCode, stdout } = await run(['user', 'delete', '--from', from, '--yes', '--json'])
    expect(exitCode).toBe(0)
    expect(jsonLines(stdout).at(-1)).toEqual({ report: report({ already_deleted: 2 }) })
  })

  it('reads standard input', async () => {
    const { run, putUser } = openTestCli()
    await putUser('b')
    const { exitCode, stdout } = await run(['user', 'delete', '--from', '-', '--yes'], { stdin: 'b' })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Deleted +1$/m)
  })

  it('finishes what is in flight, reports and exits 130 when it is interrupted', async () => {
    const { run, putUser } = openTestCli()
    const ids = Array.from({ length: 1_500 }, (_, at) => `user-${at}`)
    for (const id of ids) await putUser(id)
    const from = await fileOf(ids.join('\n'))
    const stop = new AbortController()
    const stdout = new Screen()
    stdout.once('shown', () => stop.abort())
    const argv = ['user', 'delete', '--from', from, '--yes', '--json']
    const { exitCode, stderr } = await run(argv, { stdout, signal: stop.signal })
    expect(exitCode).toBe(130)
    expect(JSON.parse(stderr).error).toBe('Interrupted')
    const documents = jsonLines(stdout.text)
    const deleted = documents.length - 1
    expect(deleted).toBeLessThan(1_500)
    expect(documents.at(-1)).toEqual({ report: report({ deleted, interrupted: true }) })

    const again = jsonLines((await run(argv)).stdout)
    expect(again.at(-1)).toEqual({ report: report({ deleted: 1_500 - deleted, already_deleted: deleted }) })
  })

  it('stops waiting for standard input when it is interrupted', async () => {
    const { run } = openTestCli()
    const stop = new AbortController()
    const running = run(['user', 'delete', '--from', '-', '--yes'], { answers: [], signal: stop.signal })
    setImmediate(() => stop.abort())
    expect((await running).exitCode).toBe(130)
  })

  it('stops, reports and exits 4 when the storage fails underway', async () => {
    const { run, putUser, storage } = openTestCli()
    const ids = Array.from({ length: 500 }, (_, at) => `user-${at}`)
    for (const id of ids) await putUser(id)
    const stdout = new Screen()
    stdout.once('shown', () => void storage.close())
    const from = await fileOf(ids.join('\n'))
    const { exitCode, stderr } = await run(['user', 'delete', '--from', from, '--yes', '--json'], { stdout })
    expect(exitCode).toBe(4)
    expect(JSON.parse(stderr)).toEqual({ error: 'Unavailable', message: expect.any(String) })
    const documents = jsonLines(stdout.text)
    const deleted = documents.length - 1
    expect(deleted).toBeLessThan(1_500)
    expect(documents.at(-1)).toEqual({ report: report({ deleted }) })
  })

  it('exits 2 before it deletes anybody when the list is broken', async () => {
    const { run, putUser } = openTestCli()
    await putUser('b')
    const from = await fileOf('id,name\nb,B\nc,"C\n')
    const { exitCode, stdout, stderr } = await run(['user', 'delete', '--from', from, '--yes'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(
      /^Not used of the list: 'name'\nerror: Cannot read the ids from '.*list'\. Line 3: A quoted field does not end\.\n$/,
    )
    expect((await run(['user', 'show', 'b'])).exitCode).toBe(0)
  })

  it('deletes those who were agreed to, whatever becomes of the file meanwhile', async () => {
    const { run, putUser } = openTestCli()
    for (const id of ['b', 'c', 'd']) await putUser(id)
    const from = await fileOf('b\nc\n')
    const stderr = new Screen({ isTTY: true })
    const question = 'Type 2 to delete them:'
    const written = stderr.shows(question).then(() => writeFile(from, 'd\nc\n'))
    const answers = [[question, '2\r']] as const
    const { exitCode, stdout } = await run(['user', 'delete', '--from', from], { answers, stderr, before: written })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Deleted +2$/m)
    expect((await run(['user', 'show', 'd'])).exitCode).toBe(0)
  })

  it.each([['--yes'], ['--dry-run']])(
    'reports zeros for an empty list, which is in order if told so: %s',
    async (how) => {
      const { run } = openTestCli()
      const argv = ['user', 'suspend', '--from', await fileOf('\n'), how, '--json']
      const { exitCode, stdout, stderr } = await run(argv)
      expect([exitCode, jsonLines(stderr)]).toEqual([3, [expect.objectContaining({ error: 'EmptyList' })]])
      expect(jsonLines(stdout).at(-1)).toMatchObject({ report: { not_found: 0, blank: 1 } })
      const allowed = await run([...argv, '--allow-empty'])
      expect([allowed.exitCode, allowed.stderr]).toEqual([0, ''])
      const piped = { stdin: '' }
      expect((await run(['user', 'suspend', '--from', '-', how], piped)).exitCode).toBe(3)
      expect((await run(['user', 'suspend', '--from', '-', how, '--allow-empty'], piped)).exitCode).toBe(0)
    },
  )

  it('has no report on a list that a dry run cannot read', async () => {
    const { run } = openTestCli()
    const list = await fileOf('a\nb\0\n')
    const { exitCode, stdout } = await run(['user', 'delete', '--from', list, '--dry-run', '--json'])
    expect([exitCode, stdout.includes('"report"')]).toEqual([2, false])
  })

  it('asks yes or no for a list of one, and nothing where that one is deleted already', async () => {
    const { run, putUser } = openTestCli()
    await putUser('b')
    const from = await fileOf('b\n')
    const question = 'Delete this user permanently?'
    const first = await run(['user', 'delete', '--from', from], { answers: [[question, 'y\r']] })
    expect(first.exitCode).toBe(0)
    const again = await run(['user', 'delete', '--from', from], { answers: [] })
    expect(again.exitCode).toBe(0)
    expect(again.stdout).toMatch(/^Deleted already +1$/m)
  })
})

const report = (changes: Readonly<Record<string, number | boolean>>) => ({
  ...{ deleted: 0, already_deleted: 0, not_found: 0, refused: 0, repeated: 0, blank: 0 },
  ...{ left_out: 0, subscriptions_erased: 0, subscriptions_kept: 0, interrupted: false },
  ...{ seconds: expect.any(Number), rows_per_second: expect.any(Number) },
  ...changes,
})

describe('rollcall user delete of a list that says more', () => {
  const folder = temporaryFolder()

  it('deletes nobody where a column may say who is meant, and names what it does not use', async () => {
    const { run, putUser, storage } = openTestCli()
    for (const id of ['a', 'b']) await putUser(id)
    const users = async () => (await storage.readers.users.list({ after: 0, limit: 9 })).items.map(({ id }) => id)
    const from = await folder.write('list.csv', 'id,status,team\na,left,x\nb,active,x\n')
    const refused = await run(['user', 'delete', '--from', from, '--yes'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'status'") })
    expect(await users()).toEqual(['a', 'b'])
    const { exitCode, stderr } = await run(['user', 'delete', '--from', from, '--yes', '--ignore', 'Status'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "Not used of the list: 'status', 'team'\n" })
    expect(await users()).toEqual([])
  })
})
