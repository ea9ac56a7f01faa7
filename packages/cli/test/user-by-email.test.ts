import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli } from './terminal.ts'

const folder = temporaryFolder()

const opened = async () => {
  const cli = openTestCli()
  const put = (id: string, email: string) => cli.run(['user', 'put', id, '--email', email])
  await put('u1', 'ada@example.com')
  await put('u2', 'ada@example.com.au')
  await put('u3', 'Zoe@bücher.example')
  // Its id is the address of another user.
  await put('ada@example.com', 'other@example.com')
  const ids = async () => {
    const { items } = JSON.parse((await cli.run(['user', 'list', '--json'])).stdout)
    return items.map(({ id }: { readonly id: string }) => id).sort()
  }
  return { ...cli, ids }
}

describe('users by their addresses', () => {
  it.each([
    ['ada@example.com', 'u1'],
    [' ADA@Example.COM ', 'u1'],
    ['ZOE@xn--bcher-kva.example', 'u3'],
  ])('shows that of %j', async (address, id) => {
    const { run } = await opened()
    expect(JSON.parse((await run(['user', 'show', '--by', 'email', address, '--json'])).stdout)).toMatchObject({ id })
  })

  it.each(['ada@example.co', 'ada@ex%61mple.com', 'ada', '', 'u1'])('finds none by %j', async (text) => {
    const { run, ids } = await opened()
    for (const verb of ['show', 'delete', 'suspend']) {
      const yes = verb === 'show' ? [] : ['--yes']
      const ran = await run(['user', verb, '--by', 'email', text, ...yes])
      expect(ran).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/No user has this|no e-mail address/) })
    }
    expect(await ids()).toHaveLength(4)
  })

  it('deletes and suspends the one that is meant', async () => {
    const { run, ids } = await opened()
    expect((await run(['user', 'suspend', '--by', 'email', 'ada@example.com.au'])).stdout).toContain('User u2 is')
    expect((await run(['user', 'delete', '--by', 'email', 'ada@example.com', '--yes'])).stdout).toContain('user u1')
    expect(await ids()).toEqual(['ada@example.com', 'u2', 'u3'])
  })

  it.each([
    ['hr-email.txt', 'ada@example.com\nnobody@example.com\n\nADA@example.com\nnone\n', []],
    ['hr-email.csv', 'email,name\nada@example.com,"Ada, L"\nnobody@example.com,N\n,\nADA@example.com,A\nnone,N\n', []],
    ['hr.csv', 'Work;Phone\nada@example.com;1\nnobody@example.com;1\n;\nADA@example.com;1\nnone;2\n', ['email=work']],
  ])('deletes those of a list: %s', async (name, text, map) => {
    const { run, ids } = await opened()
    const from = ['--from', await folder.write(name, text), ...map.flatMap((each) => ['--map', each])]
    const ran = await run(['user', 'delete', '--by', 'email', ...from, '--yes', '--json'])
    const rows = jsonLines(ran.stdout)
    expect([ran.exitCode, rows.slice(0, 5)]).toEqual([
      3,
      [
        expect.objectContaining({ id: 'u1', outcome: 'deleted' }),
        expect.objectContaining({ id: 'nobody@example.com', outcome: 'not_found' }),
        { id: '', outcome: 'blank' },
        { id: 'u1', outcome: 'repeated' },
        expect.objectContaining({ id: 'none', outcome: 'refused' }),
      ],
    ])
    expect(await ids()).toEqual(['ada@example.com', 'u2', 'u3'])
  })

  it('plans them by their ids, and keeps no address', async () => {
    const { run, ids } = await opened()
    const list = await folder.write('planned.txt', 'ada@example.com\nnobody@example.com\nAda <ada@example.com>\n')
    const plan = folder.path('by-email.plan')
    const made = await run(['user', 'delete', '--by', 'email', '--from', list, '--plan', plan])
    expect(made).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('Planned 1 deletion') })
    expect(await readFile(plan, 'utf8')).not.toContain('@')
    expect((await run(['user', 'delete', '--apply', plan, '--yes'])).exitCode).toBe(0)
    expect(await ids()).not.toContain('u1')
  })

  it('says where to look for room, if there is none for a temporary file', async () => {
    const { run, ids } = await opened()
    const missing = folder.path('none')
    vi.stubEnv('TMPDIR', missing)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(
      await run(['user', 'delete', '--by', 'email', 'ada@example.com', 'none@example.com', '--yes']),
    ).toMatchObject({
      exitCode: 4,
      stderr: `error: Cannot write a temporary file in '${missing}'. There is no such folder. Set TMPDIR to a folder that can be written.\n`,
    })
    expect(await ids()).toHaveLength(4)
  })

  it('asks about who was found', async () => {
    const { run, ids } = await opened()
    const argv = ['user', 'delete', '--by', 'email', 'ada@example.com', 'zoe@bücher.example', 'x@example.com']
    expect((await run(argv, { answers: [['Type 2 to delete them:', '2\r']] })).exitCode).toBe(3)
    expect(await ids()).toEqual(['ada@example.com', 'u2'])
  })
})

describe('a list of ids', () => {
  it.each([
    [['--map', 'id=login'], 'give --from'],
    [['--from', 'LIST', '--map', 'email=mail'], 'only id is used: write --map id=COLUMN, or add --by email'],
    [['--from', 'LIST', '--by', 'email', '--map', 'id=login'], 'only email is used'],
    [['--from', 'LIST', '--by', 'name'], "'name' is invalid"],
    [['--from', 'LIST'], "none is named 'id'"],
  ])('is refused with %j', async (options, sentence) => {
    const { run } = await opened()
    const list = await folder.write('login.csv', 'login,mail\nu1,x@example.com\n')
    const argv = options.map((text) => text.replace('LIST', list))
    const ids = options.includes('--from') ? [] : ['u1']
    expect(await run(['user', 'delete', ...ids, ...argv, '--dry-run'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(sentence),
    })
  })

  it('may have its ids in another column; and says so of what looks like addresses', async () => {
    const { run } = await opened()
    const list = await folder.write('another.csv', 'login,name\nu1,Ada\n')
    const mapped = await run(['user', 'suspend', '--from', list, '--map', 'id=login', '--yes'])
    expect(mapped).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Not used of the list: 'name'") })
    const dry = await run(['user', 'delete', '--dry-run', '--from', await folder.write('a.txt', 'ada@example.com\n')])
    expect(dry.stderr).toContain('add --by email')
  })
})
