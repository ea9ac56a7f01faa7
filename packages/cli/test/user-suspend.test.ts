import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const opened = async () => {
  const cli = openTestCli()
  await cli.putUser('root', ['admin'])
  await cli.putUser('brian', ['admin'])
  return cli
}

describe('rollcall user suspend and resume', () => {
  it('takes access and gives it back, and says so', async () => {
    const { run, storage } = await opened()
    const argv = ['user', 'suspend', 'brian', '--reason', 'ticket 4711']
    expect(await run(argv)).toEqual({ exitCode: 0, stdout: 'User brian is suspended.\n', stderr: '' })
    expect(await storage.readers.users.accountStatus('brian')).toBe('suspended')
    expect((await run(['user', 'show', 'brian'])).stdout).toMatch(/^Suspended +2026-01-01T00:00:00Z$/m)
    expect((await run(['user', 'list', '--suspended'])).stdout).toMatch(/^brian .*\n$/m)
    expect((await run(['user', 'list', '--suspended'])).stdout).not.toContain('root')
    expect((await run(['user', 'list'])).stdout).toContain('root')
    const { stdout } = await run(['user', 'resume', 'brian', '--json'])
    expect(JSON.parse(stdout)).not.toHaveProperty('suspended_at')
    expect((await run(['user', 'show', 'brian'])).stdout).not.toContain('Suspended')
    const { items } = await storage.readers.audit.list({ after: 0, limit: 9 })
    expect(items.slice(2)).toMatchObject([
      { action: 'user.suspend', target: 'brian', reason: 'ticket 4711', actor: 'operator:tester' },
      { action: 'user.resume', target: 'brian' },
    ])
  })

  it('exits 3 for the last administrator, for no such user, and for a deleted one', async () => {
    const { run } = await opened()
    await run(['user', 'suspend', 'brian'])
    for (const [id, why] of [
      ['root', 'This user is the last administrator.'],
      ['nobody', 'There is no such user.'],
    ] as const)
      expect(await run(['user', 'suspend', id])).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(why) })
    await run(['user', 'delete', 'brian', '--yes'])
    expect((await run(['user', 'resume', 'brian'])).exitCode).toBe(3)
  })

  it('issues no token for a suspended user', async () => {
    const { run } = await opened()
    await run(['user', 'suspend', 'brian'])
    const { exitCode, stdout, stderr } = await run(['token', 'issue', '--subject', 'brian'])
    expect([exitCode, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^error: This user is suspended, .* Resume the user first/)
  })
})
