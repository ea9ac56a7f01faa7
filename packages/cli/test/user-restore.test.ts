import { describe, expect, it } from 'vitest'
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
    for (const argv of ways) expect((await run(argv)).stderr).toContain('choose another')
  })

  it('exits 3 once it is too late, and where there never was such a user', async () => {
    const { run, clock, useCases } = await withDeleted()
    clock.advance(60_000)
    await useCases.eraseHeldUsers.execute()
    expect((await run(['user', 'restore', 'ada'])).exitCode).toBe(3)
    expect((await run(['user', 'restore', 'bob'])).exitCode).toBe(3)
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
