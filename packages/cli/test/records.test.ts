import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

describe('rollcall user put', () => {
  it('creates a user, or replaces it, and says which', async () => {
    const { run } = openTestCli()
    const argv = ['user', 'put', 'ada', '--email', 'ada@example.com', '--name', 'Ada', '--role', 'auditor']
    expect(await run([...argv, '--role', 'admin'])).toEqual({ exitCode: 0, stdout: 'Created user ada.\n', stderr: '' })
    expect(JSON.parse((await run(['user', 'show', 'ada', '--json'])).stdout).roles).toEqual(['admin', 'auditor'])
    await run(['user', 'put', 'bob', '--email', 'bob@example.com', '--role', 'admin'])
    expect((await run(argv)).stdout).toBe('Replaced user ada.\n')
    const { created, user } = JSON.parse((await run([...argv, '--json'])).stdout)
    expect({ created, user }).toMatchObject({ created: false, user: { id: 'ada', roles: ['auditor'] } })
  })

  it.each([
    ['the e-mail is not valid', 2, 'InvalidInput', 'new', 'nonsense', 'auditor'],
    ['the role is unknown', 2, 'InvalidInput', 'new', 'new@example.com', 'king'],
    ['the e-mail is taken', 3, 'EmailTaken', 'new', 'ada@example.com', 'auditor'],
    ['the id was deleted', 3, 'UserDeleted', 'gone', 'new@example.com', 'auditor'],
    ['it would take the last administrator away', 3, 'LastAdministrator', 'ada', 'ada@example.com', 'auditor'],
  ])('is refused when %s', async (_name, exitCode, error, id, email, role) => {
    const { run, putUser } = openTestCli()
    await putUser('ada', ['admin'])
    await putUser('gone')
    await run(['user', 'delete', 'gone', '--yes'])
    const ran = await run(['user', 'put', id, '--email', email, '--role', role, '--json'])
    expect(ran).toMatchObject({ exitCode, stdout: '' })
    expect(JSON.parse(ran.stderr)).toMatchObject({ error })
  })

  it('names the field and what to do', async () => {
    const { run } = openTestCli()
    const { stderr } = await run(['user', 'put', 'ada', '--email', 'nonsense'])
    expect(stderr).toBe("error: 'email': Give an address such as name@example.com.\n")
  })
})

describe('rollcall user show', () => {
  it('shows a field a line to people', async () => {
    const { run, putUser } = openTestCli()
    await putUser('ada', ['admin', 'auditor'])
    expect((await run(['user', 'show', 'ada'])).stdout.split('\n')).toEqual([
      'ID       ada',
      'E-mail   ada@example.com',
      'Name     Name of ada',
      'Roles    admin auditor',
      'Created  2026-01-01T00:00:00Z',
      'Updated  2026-01-01T00:00:00Z',
      '',
    ])
  })

  it('exits 3 when there is no such user', async () => {
    const { exitCode, stderr } = await openTestCli().run(['user', 'show', 'nobody'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: 'error: There is no such user. Check the id.\n' })
  })
})

describe('rollcall feed put', () => {
  it('creates a feed, or replaces it, and says which', async () => {
    const { run } = openTestCli()
    expect((await run(['feed', 'put', 'news'])).stdout).toBe('Created feed news.\n')
    expect((await run(['feed', 'put', 'news', '--title', 'N'])).stdout).toBe('Replaced feed news.\n')
    const { created, feed } = JSON.parse((await run(['feed', 'put', 'x', '--description', 'd', '--json'])).stdout)
    expect({ created, feed }).toMatchObject({ created: true, feed: { name: 'x', title: 'x', description: 'd' } })
  })

  it('exits 2 for a name that cannot be', async () => {
    const { exitCode, stderr } = await openTestCli().run(['feed', 'put', 'No Such'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: 'name': Use 1 to 64/)
  })
})

describe('rollcall token issue', () => {
  it('prints one token and nothing else', async () => {
    const { run, tokens, clock } = openTestCli()
    const argv = ['token', 'issue', '--subject', 'ops', '--role', 'admin', '--ttl', '15m']
    const { exitCode, stdout, stderr } = await run(argv)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^\S+\n$/)
    expect(await tokens.verify(stdout.trim())).toMatchObject({ subject: 'ops', roles: ['admin'] })
    clock.advance(15 * 60_000)
    await expect(tokens.verify(stdout.trim())).rejects.toThrow()
  })

  it('lives an hour where nothing else is said', async () => {
    const { run, tokens, clock } = openTestCli()
    const { token, token_id } = JSON.parse((await run(['token', 'issue', '--subject', 'ops', '--json'])).stdout)
    clock.advance(3_599_000)
    expect(await tokens.verify(token)).toMatchObject({ tokenId: token_id, roles: [] })
    clock.advance(1_000)
    await expect(tokens.verify(token)).rejects.toThrow()
  })

  it.each([
    ['of a deleted subject exits 3', 'gone', '1h', 3],
    ['that lives too long exits 2', 'ops', '401d', 2],
    ['that lives no time exits 2', 'ops', '0s', 2],
    ['of an operator exits 2', 'operator:me', '1h', 2],
  ])('%s', async (_name, subject, ttl, exitCode) => {
    const { run, putUser } = openTestCli()
    await putUser('gone')
    await run(['user', 'delete', 'gone', '--yes'])
    const ran = await run(['token', 'issue', '--subject', subject, '--ttl', ttl])
    expect(ran).toMatchObject({ exitCode, stdout: '' })
  })
})
