import { describe, expect, it } from 'vitest'
import { OPERATOR, openTestCli, Screen } from './terminal.ts'

const ONE = 'Delete this user permanently?'
const MANY = 'Type 2 to delete them:'

describe('rollcall user delete, with somebody to ask', () => {
  it('shows who it is and what stays, and deletes after a yes', async () => {
    const { run, putUser, subscribe } = openTestCli()
    await putUser('brian')
    await subscribe('brian@example.com')
    const { exitCode, stdout, stderr } = await run(['user', 'delete', 'brian'], { answers: [[ONE, 'y\r']] })
    expect(stderr).toContain(
      'User brian: Name of brian, brian@example.com. 1 subscription of the same address stays. Nothing undoes it.\n',
    )
    expect(stdout).toBe('Deleted user brian. 1 subscription of the same address kept. Nothing undoes it.\n')
    expect(exitCode).toBe(0)
  })

  it('says that subscriptions go, too, when they shall', async () => {
    const { run, putUser, subscribe } = openTestCli()
    await putUser('brian')
    await subscribe('brian@example.com')
    const argv = ['user', 'delete', 'brian', '--subscriptions', 'erase']
    const { stdout, stderr } = await run(argv, { answers: [[ONE, 'y\r']] })
    expect(stderr).toContain('1 subscription of the same address goes, too.')
    expect(stdout).toBe('Deleted user brian. 1 subscription of the same address erased, too. Nothing undoes it.\n')
  })

  it.each([
    ['no', 'n\r'],
    ['nothing', '\r'],
  ])('deletes no user and exits 3 when the answer is %s', async (_name, keys) => {
    const { run, putUser } = openTestCli()
    await putUser('brian')
    const { exitCode, stdout, stderr } = await run(['user', 'delete', 'brian'], { answers: [[ONE, keys]] })
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(/error: Nothing was deleted, because it was not confirmed\.\n$/)
    expect((await run(['user', 'show', 'brian'])).exitCode).toBe(0)
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
    ['a terminal that is closed', ''],
  ])('deletes no user and exits 130 on %s', async (_name, keys) => {
    const { run, putUser, opened } = openTestCli()
    await putUser('brian')
    const { exitCode, stderr } = await run(['user', 'delete', 'brian'], { answers: [[ONE, keys]] })
    expect(exitCode).toBe(130)
    expect(stderr).toContain('error: Interrupted. Nothing was changed.\n')
    expect(opened).toEqual({ times: 1, closed: 1 })
    expect((await run(['user', 'show', 'brian'])).exitCode).toBe(0)
  })

  it('deletes no user and exits 130 when the process is interrupted while it asks', async () => {
    const { run, putUser } = openTestCli()
    await putUser('brian')
    const stop = new AbortController()
    const stderr = new Screen({ isTTY: true })
    const running = run(['user', 'delete', 'brian'], { answers: [], stderr, signal: stop.signal })
    await stderr.shows(ONE)
    stop.abort()
    expect((await running).exitCode).toBe(130)
    expect((await run(['user', 'show', 'brian'])).exitCode).toBe(0)
  })

  it.each([
    ['ada', 'n\n', 3],
    ['ada', 'y\n', 0],
    ['ada', '\u0004', 130],
    ['ada bob', '2\n', 0],
    ['ada bob', '1\n', 3],
  ])('asks a terminal that knows no escape sequence in plain text: %s, %j', async (ids, keys, expected) => {
    const { run, putUser } = openTestCli()
    for (const id of ['ada', 'bob']) await putUser(id)
    const question = ids === 'ada' ? `${ONE} (y/N)` : MANY
    const stroke = keys === '\u0004' ? '' : keys
    const argv = ['user', 'delete', ...ids.split(' ')]
    const { exitCode, stdout, stderr } = await run(argv, { answers: [[question, stroke]], dumb: true })
    expect(exitCode).toBe(expected)
    expect(stdout + stderr).not.toContain('\u001b')
    expect((await run(['--help'], { answers: [], dumb: true })).stdout).not.toContain('\u001b')
  })

  it('asks nothing where the deletion would be refused', async () => {
    const { run, putUser } = openTestCli()
    await putUser('ada', ['admin'])
    const refused = await run(['user', 'delete', 'ada'], { answers: [] })
    expect(refused.exitCode).toBe(3)
    expect(refused.stderr).toMatch(/^error: This user is the last administrator\./)
    expect((await run(['user', 'delete', 'nobody'], { answers: [] })).stderr).toMatch(/^error: There is no such user/)
  })

  it('asks for the number of different users, and deletes them when it is typed', async () => {
    const { run, putUser } = openTestCli()
    await putUser('brian')
    await putUser('carol')
    const argv = ['user', 'delete', 'brian', 'carol', 'brian']
    const { exitCode, stdout, stderr } = await run(argv, { answers: [[MANY, '2\r']] })
    expect(stderr).toMatch(
      /^ID +WHAT .*\nbrian +would be deleted .*\ncarol +would be deleted .*\n2 users will be deleted\./,
    )
    expect(stderr).toContain('2 users will be deleted. Subscriptions of their addresses stay. Nothing undoes it.\n')
    expect(stdout).toMatch(/^Deleted +2$/m)
    expect(stdout).toMatch(/^Repeated +1$/m)
    expect(exitCode).toBe(0)
  })

  it.each(['', '1', 'y', '22'])('deletes no user and exits 3 when %j is typed for 2', async (typed) => {
    const { run, putUser } = openTestCli()
    await putUser('brian')
    await putUser('carol')
    const { exitCode, stdout } = await run(['user', 'delete', 'brian', 'carol'], { answers: [[MANY, `${typed}\r`]] })
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect((await run(['user', 'list', '--json'])).stdout.match(/"id"/g)).toHaveLength(2)
  })

  it('shows a name with escape sequences as what it is', async () => {
    const { run, useCases } = openTestCli()
    const command = { userId: 'mallory', email: 'm@example.com', name: 'x\u202ey', roles: [] }
    await useCases.putUser.execute(command, OPERATOR)
    const { stderr } = await run(['user', 'delete', 'mallory'], { answers: [[ONE, 'n\r']] })
    expect(stderr).toContain('User mallory: x\\u202ey, m@example.com.')
  })

  it.each([[['brian']], [['brian', 'carol']]])('exits 2 and says why without a terminal: %j', async (ids) => {
    const { run, opened } = openTestCli()
    const { exitCode, stderr } = await run(['user', 'delete', ...ids])
    expect(exitCode).toBe(2)
    expect(stderr).toBe('error: There is no terminal to ask on. Add --yes to delete without being asked.\n')
    expect(opened.times).toBe(0)
  })

  it.each([
    ['suspend', [], 'suspend'],
    ['resume', [], 'resume'],
    ['restore', [], 'restore'],
    ['set', ['--add-role', 'auditor'], 'change'],
  ])('says of the verb what goes without being asked: %s', async (verb, options, todo) => {
    const { run } = openTestCli()
    const { exitCode, stderr } = await run(['user', verb, 'brian', 'carol', ...options])
    expect(exitCode).toBe(2)
    expect(stderr).toBe(`error: There is no terminal to ask on. Add --yes to ${todo} without being asked.\n`)
  })

  it('exits 2 and says why where the list can be read only once', async () => {
    const { run } = openTestCli()
    const { exitCode, stderr } = await run(['user', 'delete', '--from', '-'], { answers: [] })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Add --yes, or save it to a file.')
  })
})
