import { describe, expect, it } from 'vitest'
import { jsonLines, openTestCli } from './terminal.ts'

describe('rollcall user delete --dry-run', () => {
  it('says who would go, who would not and why, and changes nothing', async () => {
    const { run, putUser, subscribe } = openTestCli()
    await putUser('ada', ['admin'])
    await putUser('brian')
    await subscribe('brian@example.com')
    const before = (await run(['audit', 'list', '--json'])).stdout
    const { exitCode, stdout } = await run(['user', 'delete', 'brian', 'ada', 'nobody', 'brian', '--dry-run'])
    expect(exitCode).toBe(3)
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      expect.stringMatching(/^ID +WHAT WOULD BECOME OF IT +NAME +E-MAIL +SUBSCRIPTIONS$/),
      expect.stringMatching(/^brian +would be deleted +Name of brian +brian@example\.com +1 kept$/),
      expect.stringMatching(/^ada +refused: This user is the last administrator\..* ada@example\.com$/),
      expect.stringMatching(/^nobody +not found$/),
      expect.stringMatching(/^brian +repeated$/),
    ])
    expect(stdout).toMatch(/^Would be deleted +1$/m)
    expect((await run(['audit', 'list', '--json'])).stdout).toBe(before)
    expect((await run(['user', 'show', 'brian'])).exitCode).toBe(0)
  })

  it('foresees that the last of several administrators would be refused, however far behind the others', async () => {
    const { run, putUser } = openTestCli()
    for (const id of ['ada', 'bob', 'eve']) await putUser(id, ['admin'])
    const ids = ['ada', 'bob', ...Array.from({ length: 600 }, (_, at) => `nobody-${at}`), 'eve']
    const argv = ['user', 'delete', '--from', '-', '--dry-run', '--json']
    const rows = jsonLines((await run(argv, { stdin: ids.join('\n') })).stdout)
    expect([...rows.slice(0, 2), ...rows.slice(-2)]).toMatchObject([
      { id: 'ada', outcome: 'would_delete' },
      { id: 'bob', outcome: 'would_delete' },
      { id: 'eve', outcome: 'refused', error: 'LastAdministrator' },
      { report: { would_delete: 2, refused: 1, not_found: 600 } },
    ])
  })

  it('prints one document for a single id with --json', async () => {
    const { run, putUser, subscribe } = openTestCli()
    await putUser('brian')
    await subscribe('brian@example.com')
    const argv = ['user', 'delete', 'brian', '--dry-run', '--json', '--subscriptions', 'erase']
    const { exitCode, stdout } = await run(argv)
    expect(exitCode).toBe(0)
    expect(jsonLines(stdout)).toEqual([
      {
        id: 'brian',
        outcome: 'would_delete',
        email: 'brian@example.com',
        name: 'Name of brian',
        subscriptions_erased: 1,
        subscriptions_kept: 0,
      },
    ])
  })

  it.each([
    ['nobody', 'not_found'],
    ['gone', 'already_deleted'],
  ])('exits 3 for the single id of %s', async (id, outcome) => {
    const { run, putUser } = openTestCli()
    await putUser('gone')
    await run(['user', 'delete', 'gone', '--yes'])
    const { exitCode, stdout } = await run(['user', 'delete', id, '--dry-run', '--json'])
    expect(exitCode).toBe(3)
    expect(jsonLines(stdout)).toMatchObject([{ id, outcome }])
  })

  it('needs no terminal, and exits 2 as the deletion would for a reason that says who somebody is', async () => {
    const { run, putUser } = openTestCli()
    await putUser('brian')
    const argv = ['user', 'delete', '--from', '-', '--dry-run', '--json', '--reason', 'brian@example.com wrote']
    const { exitCode, stdout, stderr } = await run(argv, { stdin: 'brian\n' })
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({ error: 'InvalidInput', details: [{ field: 'reason' }] })
    expect(jsonLines(stdout)[0]).toMatchObject({ id: 'brian', outcome: 'refused', error: 'InvalidInput' })
  })
})
