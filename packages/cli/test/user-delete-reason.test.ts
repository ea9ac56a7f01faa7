import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { OPERATOR, openTestCli } from './terminal.ts'

describe('the reason of a bulk deletion', () => {
  const folder = temporaryFolder()
  const withUsers = async (count = 300) => {
    const cli = openTestCli()
    const ids = Array.from({ length: count }, (_, at) => `user-${at}`)
    for (const id of ids) await cli.putUser(id)
    const users = async () => (await cli.run(['user', 'list', '--json'])).stdout.match(/"id"/g)?.length
    return { ...cli, ids, users, list: await folder.write('list', ids.join('\n')) }
  }
  const telling = ['--yes', '--reason', 'user-299@example.com asked for it']

  it.each(['file', 'standard input', 'plan'])(
    'refuses everything with exit code 2, before anybody is deleted, where it names anybody in a list from a %s',
    async (origin) => {
      const { run, ids, users, list, useCases, putUser } = await withUsers()
      const plan = folder.path('plan')
      // It names no user when the plan is made.
      const another = { userId: 'user-299', email: 'another@example.com', name: 'Another', roles: [] }
      await useCases.putUser.execute(another, OPERATOR)
      await run(['user', 'delete', '--from', list, '--plan', plan, ...telling.slice(1)])
      await putUser('user-299')
      const argv = { file: ['--from', list, ...telling], 'standard input': ['--from', '-', ...telling] }
      const from = argv[origin as keyof typeof argv] ?? ['--apply', plan, '--yes']
      const { exitCode, stdout, stderr } = await run(['user', 'delete', ...from], { stdin: ids.join('\n') })
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toMatch(
        /^error: 'reason': Leave out the user's name .* No user was deleted: it is about user-299\.\n$/,
      )
      expect(await users()).toBe(300)
      const { items } = await useCases.listAudit.execute({ limit: 200 }, OPERATOR)
      expect(items.filter(({ reason }) => reason !== undefined)).toEqual([])
    },
  )

  it('is refused before it is asked for the number', async () => {
    const { run, list } = await withUsers()
    const { exitCode, stderr } = await run(['user', 'delete', '--from', list, ...telling.slice(1)], { answers: [] })
    expect(exitCode).toBe(2)
    expect(stderr).not.toContain('Type 300')
  })

  it('is recorded for everybody in a list that can be read only once, and leaves no file of it', async () => {
    const { run, ids, users, useCases } = await withUsers(3)
    vi.stubEnv('TMPDIR', folder.path('.'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const argv = ['user', 'delete', '--from', '-', '--yes', '--reason', 'left in May']
    const { exitCode, stdout } = await run(argv, { stdin: `${ids.join('\n')}\n\nnobody\nuser-0\n` })
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^Deleted +3$/m)
    for (const label of ['Not found', 'Repeated', 'Blank']) expect(stdout).toMatch(new RegExp(`^${label} +1$`, 'm'))
    expect(await users()).toBeUndefined()
    const { items } = await useCases.listAudit.execute({ limit: 200 }, OPERATOR)
    expect(items.filter(({ reason }) => reason === 'left in May')).toHaveLength(3)
    expect(await folder.list()).toEqual(['list'])
  })

  it('can be interrupted while it is checked', async () => {
    const { run, users, list } = await withUsers()
    const argv = ['user', 'delete', '--from', list, '--yes', '--reason', 'left in May']
    expect((await run(argv, { signal: AbortSignal.abort() })).exitCode).toBe(130)
    expect(await users()).toBe(300)
  })

  it('is refused where it is too long', async () => {
    const { run, users, list } = await withUsers()
    const { exitCode } = await run(['user', 'delete', '--from', list, '--yes', '--reason', 'x'.repeat(501)])
    expect(exitCode).toBe(2)
    expect(await users()).toBe(300)
  })
})
