import { access, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli } from './terminal.ts'

describe('rollcall user delete --report', () => {
  const folder = temporaryFolder()
  const withUsers = async () => {
    const cli = openTestCli()
    for (const id of ['b', '=c', 'd']) await cli.putUser(id)
    await cli.subscribe('b@example.com')
    return cli
  }

  it('writes what became of every row as NDJSON, readable only by its owner', async () => {
    const { run } = await withUsers()
    const path = folder.path('report.ndjson')
    const { exitCode, stdout } = await run(['user', 'delete', 'b', 'nobody', 'b', '--yes', '--report', path])
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^Deleted +1$/m)
    expect(jsonLines(await folder.read('report.ndjson'))).toEqual([
      { id: 'b', outcome: 'deleted', subscriptions_erased: 0, subscriptions_kept: 1 },
      { id: 'nobody', outcome: 'not_found', error: 'UserNotFound', message: 'There is no such user. Check the id.' },
      { id: 'b', outcome: 'repeated' },
    ])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('writes CSV where the name ends so, with formulas disarmed', async () => {
    const { run } = await withUsers()
    const argv = ['user', 'delete', 'b', '=c', 'a "b", c', 'd;e', '--yes', '--report', folder.path('report.CSV')]
    await run(argv)
    expect((await folder.read('report.CSV')).split('\r\n')).toEqual([
      'id,outcome,subscriptions_erased,subscriptions_kept,email,name,error,message',
      'b,deleted,0,1,,,,',
      "'=c,deleted,0,0,,,,",
      '"a ""b"", c",not_found,,,,,UserNotFound,There is no such user. Check the id.',
      '"d;e",not_found,,,,,UserNotFound,There is no such user. Check the id.',
      '',
    ])
  })

  it('has the report of a single id, too', async () => {
    const { run } = await withUsers()
    await run(['user', 'delete', 'd', '--yes', '--report', folder.path('report.jsonl')])
    expect(jsonLines(await folder.read('report.jsonl'))).toMatchObject([{ id: 'd', outcome: 'deleted' }])
  })

  it('holds every row of a dry run that is too long for its table', async () => {
    const { run } = await withUsers()
    const ids = ['b', ...Array.from({ length: 2_500 }, (_, at) => `nobody-${at}`)]
    const path = folder.path('report.ndjson')
    const argv = ['user', 'delete', '--from', '-', '--dry-run', '--report', path]
    const { stdout } = await run(argv, { stdin: ids.join('\n') })
    const [table = '', refused = ''] = stdout.split(/^ID +WHY IT WAS NOT DELETED$/m)
    expect(table.match(/^\S+ +(?:would be deleted|not found)/gm)).toHaveLength(20)
    expect(table).toMatch(
      /^nobody-8 +not found\n\.\.\. 2481 more; --report FILE or --json has all\.\nnobody-2490 +not found$/m,
    )
    expect(table).toMatch(/^nobody-2499 +not found$/m)
    expect(refused.match(/^nobody-/gm)).toHaveLength(20)
    expect(stdout).toMatch(/^Not found +2500$/m)
    const rows = jsonLines(await folder.read('report.ndjson'))
    expect(rows).toHaveLength(2_501)
    expect(rows[0]).toMatchObject({ id: 'b', outcome: 'would_delete', email: 'b@example.com', name: 'Name of b' })
  })

  it('exits before anybody is deleted, 2 where the name does not say how or is taken, 4 where it cannot be written', async () => {
    const { run, opened } = await withUsers()
    const taken = await folder.write('taken.csv', 'mine')
    for (const [path, code, expected] of [
      [folder.path('report.txt'), 2, /ends in \.ndjson or \.csv/],
      [taken, 2, /Give another name, or remove it/],
      [folder.path('none/report.csv'), 4, /There is no such folder/],
    ] as const) {
      const { exitCode, stderr } = await run(['user', 'delete', 'b', '--yes', '--report', path])
      expect(exitCode).toBe(code)
      expect(stderr).toMatch(expected)
    }
    expect(await folder.read('taken.csv')).toBe('mine')
    expect((await run(['user', 'show', 'b'])).exitCode).toBe(0)
    expect(opened.times).toBe(opened.closed)
  })

  it('is not begun where the run is refused as a whole', async () => {
    const { run } = await withUsers()
    const path = folder.path('report.csv')
    const argv = ['user', 'delete', 'b', '--yes', '--report', path, '--reason', 'b@example.com']
    expect((await run(argv)).exitCode).toBe(2)
    await expect(access(path)).rejects.toThrow()
  })
})
