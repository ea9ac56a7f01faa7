import { describe, expect, it } from 'vitest'
import { undoable } from '../src/bulk/grace.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { openTestCli } from './terminal.ts'

const withDeleted = async () => {
  const cli = openTestCli({}, { deleteGrace: 60_000 })
  await cli.putUser('ada', ['auditor'])
  const { exitCode } = await cli.run(['user', 'delete', 'ada', '--yes', '--reason', 'left'])
  expect(exitCode).toBe(0)
  return cli
}

describe('rollcall user restore', () => {
  it('brings back who was deleted within the grace', async () => {
    const { run } = await withDeleted()
    const { exitCode, stdout, stderr } = await run(['user', 'restore', 'ada', '--reason', 'a mistake'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe('Restored user ada.\n')
    expect(JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout)).toMatchObject({ roles: ['auditor'] })
  })

  it('says of who is there that it is, alone and in a list', async () => {
    const { run, putUser } = await withDeleted()
    await putUser('bob')
    const alone = await run(['user', 'restore', 'bob'])
    expect(alone).toEqual({ exitCode: 0, stdout: 'User bob is not deleted.\n', stderr: '' })
    const { exitCode, stdout } = await run(['user', 'restore', 'bob', 'ada', '--yes'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Restored +1\n/)
    expect(stdout).toMatch(/^There already +1$/m)
  })

  it('brings nobody of a list back if the reason names one of them', async () => {
    const { run, putUser } = await withDeleted()
    await putUser('bob')
    await run(['user', 'delete', 'bob', '--yes'])
    const argv = ['user', 'restore', 'bob', 'ada', '--yes', '--reason', 'ada@example.com was a mistake']
    const { exitCode, stdout, stderr } = await run(argv)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('No user was restored: it is about ada.')
    expect(JSON.parse((await run(['user', 'list', '--held', '--json'])).stdout).items).toHaveLength(2)
  })

  it('is named where a user is missed that is deleted, as long as it can be done', async () => {
    const { run, clock, useCases } = await withDeleted()
    const ways = [
      ['user', 'show', 'ada'],
      ['user', 'put', 'ada', '--email', 'ada@example.com'],
      ['user', 'export', 'ada'],
      ['token', 'issue', '--subject', 'ada'],
      ['console', 'login', '--subject', 'ada'],
    ]
    for (const argv of ways) {
      const { exitCode, stdout, stderr } = await run(argv)
      expect([exitCode, stdout]).toEqual([3, ''])
      expect(stderr).toBe(
        'error: This user was deleted, and is erased at 2026-01-01T00:01:00Z. Until then, `rollcall user restore ada` undoes it.\n',
      )
    }
    expect(JSON.parse((await run(['user', 'show', 'ada', '--json'])).stderr)).toMatchObject({ error: 'UserDeleted' })
    clock.advance(60_000)
    await useCases.eraseHeldUsers.execute()
    for (const argv of ways) expect((await run(argv)).stderr).toContain('its id goes to no other user')
  })

  it('exits 3 once it is too late, and where there never was such a user', async () => {
    const { run, clock, useCases } = await withDeleted()
    clock.advance(60_000)
    await useCases.eraseHeldUsers.execute()
    expect((await run(['user', 'restore', 'ada'])).exitCode).toBe(3)
    expect((await run(['user', 'restore', 'bob'])).exitCode).toBe(3)
  })
})

describe('a grace', () => {
  const UNTIL = '2026-01-01T00:01:00Z'

  it('is in the question, the report and the dry run of one', async () => {
    const { run, putUser } = openTestCli({}, { deleteGrace: 30 * 86_400_000 })
    await putUser('ada')
    expect(undoable(60, "auth0|o'neil")).toContain("`rollcall user restore 'auth0|o'\\''neil'` undoes it")
    const undo = '`rollcall user restore ada` undoes it for 30 d; then everything is erased.'
    const asked = await run(['user', 'delete', 'ada'], { answers: [['Delete this user?', 'n\r']] })
    expect(asked.stderr).toContain(undo)
    expect((await run(['user', 'delete', 'ada', '--dry-run'])).stdout).toContain(undo.replace(' ada', ''))
    const until = 'Until 2026-01-31T00:00:00Z, `rollcall user restore ada` undoes it; then everything is erased.'
    expect((await run(['user', 'delete', 'ada', '--yes'])).stdout).toBe(
      `Deleted user ada. 0 subscriptions of the same address kept. ${until}\n`,
    )
  })

  it('is in the question, the report and the dry run of a list, and with --json', async () => {
    const { run, putUser } = openTestCli({}, { deleteGrace: 60_000 })
    for (const id of ['ada', 'bob', 'eve']) await putUser(id)
    const undo = '`rollcall user restore` undoes it for 1 min; then everything is erased.'
    expect((await run(['user', 'delete', 'ada', 'bob', '--dry-run'])).stdout).toContain(undo)
    const asked = await run(['user', 'delete', 'ada', 'bob'], { answers: [['Type 2 to delete', '2\r']] })
    expect(asked.stderr).toContain(`2 users will be deleted. Subscriptions of their addresses stay. ${undo}\n`)
    expect(asked.stdout).toContain(`Until ${UNTIL}, \`rollcall user restore\` undoes it`)
    const { stdout } = await run(['user', 'delete', 'eve', '--yes', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ erases_at: '2026-01-01T00:01:00.000Z' })
  })

  it('has a list of who can be restored, page by page, and only that', async () => {
    const { run, putUser } = openTestCli({}, { deleteGrace: 60_000 })
    for (const id of ['ada', 'bob', 'eve']) await putUser(id)
    await run(['user', 'delete', 'ada', 'eve', '--yes'])
    const { stdout } = await run(['user', 'list', '--held'])
    expect(stdout).toMatch(/^ID .*ERASED ON\nada .*2026-01-01T00:01:00Z\neve /)
    expect(stdout).not.toContain('bob')
    const first = JSON.parse((await run(['user', 'ls', '--held', '--limit', '1', '--json'])).stdout)
    expect(first).toMatchObject({ items: [{ user: { id: 'ada' }, subscriptions: 'keep' }], next: 'ada' })
    expect((await run(['user', 'list', '--held', '--after', 'ada'])).stdout).toMatch(/\neve [^\n]*\n$/)
    expect((await run(['user', 'list', '--held', '--role', 'admin'])).exitCode).toBe(2)
    await run(['user', 'restore', 'ada', 'eve', '--yes'])
    expect((await run(['user', 'list', '--held'])).stderr).toBe('No deleted user can be restored.\n')
  })

  it('is told in the help', async () => {
    const help = (await openTestCli().run(['user', 'delete', '--help'])).stdout.replaceAll(/\s+/g, ' ')
    expect(help).toContain('ROLLCALL_DELETE_GRACE')
    expect(help).toContain('`rollcall user restore` undoes it')
  })
})

describe('an address that stands where an id does', () => {
  it.each([
    ['user', 'show'],
    ['user', 'export'],
    ['user', 'delete', '--yes'],
    ['user', 'suspend'],
    ['user', 'set', '--name', 'Ada'],
  ])('is told from one, with what to add: %s %s', async (...argv) => {
    const { run, putUser } = openTestCli()
    await putUser('ada')
    const { exitCode, stderr } = await run([...argv, 'ada@example.com'])
    expect([exitCode, stderr]).toEqual([
      3,
      "error: There is no user with the id 'ada@example.com'. If it is the user's e-mail address, add --by email.\n",
    ])
    if (argv[1] !== 'set') expect((await run([...argv, 'ada@example.com', '--by', 'email'])).exitCode).toBe(0)
  })
})

describe('a command that knows users by their ids alone', () => {
  const folder = temporaryFolder()

  it.each([
    [['user', 'restore', 'ada@example.com'], '`rollcall user list` shows the id'],
    [['user', 'restore', '--yes', 'ada@example.com', 'bob'], '`rollcall user list --held` shows the ids'],
    [['user', 'restore', '--yes', '--from', 'LIST'], "named 'id'"],
  ])('advises no other way: %s', async (argv, advice) => {
    const list = await folder.write('list', 'email,name\nada@example.com,Ada\n')
    const { stderr } = await openTestCli().run(argv.map((word) => (word === 'LIST' ? list : word)))
    expect(stderr).toContain(advice)
    expect(stderr).not.toContain('--by email')
  })

  it('takes its list once', async () => {
    const { exitCode, stderr } = await openTestCli().run(['user', 'restore', '--from', 'a', '--from', 'b'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Give it once')])
  })
})

describe('rollcall user erasure', () => {
  it('shows the receipt of a deletion', async () => {
    const { run } = await withDeleted()
    const { stdout, exitCode } = await run(['user', 'erasure', 'ada'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^By +operator:tester$/m)
    expect(stdout).toMatch(/^Reason +left$/m)
    expect(JSON.parse((await run(['user', 'erasure', 'ada', '--json'])).stdout)).toMatchObject({ user_id: 'ada' })
    expect((await run(['user', 'erasure', 'bob'])).exitCode).toBe(3)
  })
})

describe('rollcall user export', () => {
  it('prints one document with everything', async () => {
    const cli = openTestCli()
    await cli.putUser('ada')
    await cli.subscribe('ada@example.com')
    const { exitCode, stdout } = await cli.run(['user', 'export', 'ada'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      user: { id: 'ada' },
      subscriptions: [{ email: 'ada@example.com' }],
      waiting_feedback: [],
      tokens: [],
      sessions: [],
      audit: [{ action: 'user.put', target: 'ada' }],
    })
    expect((await cli.run(['user', 'export', 'bob'])).exitCode).toBe(3)
  })
})
