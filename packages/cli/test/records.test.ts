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
