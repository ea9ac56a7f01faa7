import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const users = async (count: number) => {
  const cli = openTestCli()
  for (let at = 1; at <= count; at++) await cli.putUser(`user-${at}`, at % 100 === 0 ? ['auditor'] : [])
  return cli
}
const idsOf = (stdout: string): string[] => JSON.parse(stdout).items.map(({ id }: { id: string }) => id)

describe('rollcall user list', () => {
  it('prints everything, oldest first, over as many pages as it takes', async () => {
    const { run } = await users(450)
    const { exitCode, stdout, stderr } = await run(['user', 'list', '--json'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(idsOf(stdout)).toEqual(Array.from({ length: 450 }, (_, at) => `user-${at + 1}`))
    expect(JSON.parse(stdout).next).toBeNull()
    expect(stdout.split('\n')).toHaveLength(450 + 3)
    const table = (await run(['user', 'list'])).stdout.trimEnd().split('\n')
    expect(table).toHaveLength(451)
    expect(table[0]).toMatch(/^ID +E-MAIL +NAME +ROLES +SUSPENDED +SEEN +CREATED$/)
    expect(table[450]).toMatch(/^user-450 +user-450@example\.com +Name of user-450 +2026-01-01T00:00:00Z$/)
  })

  it('shows users as HTTP does', async () => {
    const { run } = await users(1)
    expect(JSON.parse((await run(['user', 'list', '--json'])).stdout).items).toEqual([
      {
        id: 'user-1',
        email: 'user-1@example.com',
        name: 'Name of user-1',
        roles: [],
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      },
    ])
  })

  it('finds those who were not seen since a day, and shows when others were', async () => {
    const { run, useCases } = await users(3)
    useCases.uses.noteUser('user-2')
    await useCases.uses.flush()
    const table = (await run(['user', 'list'])).stdout.trimEnd().split('\n')
    expect(table[2]).toMatch(/^user-2 .* 2026-01-01 +2026-01-01T00:00:00Z$/)
    expect((await run(['user', 'show', 'user-2'])).stdout).toMatch(/^Last seen +2026-01-01$/m)
    expect((await run(['user', 'show', 'user-1'])).stdout).not.toContain('Last seen')
    const inactive = async (day: string) => (await run(['user', 'list', '--inactive-since', day, '--json'])).stdout
    expect(idsOf(await inactive('2026-01-02'))).toEqual(['user-1', 'user-2', 'user-3'])
    expect(idsOf(await inactive('2026-01-01'))).toEqual([])
    expect(await run(['user', 'list', '--inactive-since', 'today'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Give a date such as'),
    })
  })

  it.each([1, 200, 201, 300])('stops after --limit %d and goes on with --after', async (limit) => {
    const { run } = await users(301)
    const first = JSON.parse((await run(['user', 'list', '--json', '--limit', String(limit)])).stdout)
    expect(first.items).toHaveLength(limit)
    const rest = await run(['user', 'list', '--json', '--after', first.next])
    expect(idsOf(rest.stdout)).toEqual(Array.from({ length: 301 - limit }, (_, at) => `user-${limit + at + 1}`))
  })

  it('shows a person how to go on, beside the table', async () => {
    const { run } = await users(3)
    const { stdout, stderr } = await run(['user', 'list', '--limit', '2'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    const [, after] = /^There are more: add --after (\S+) to go on\.\n$/.exec(stderr) ?? []
    expect((await run(['user', 'list', '--limit', '1', '--after', after!])).stderr).toBe('')
  })

  it('filters by text and role', async () => {
    const { run } = await users(300)
    expect(idsOf((await run(['user', 'list', '--json', '--role', 'auditor'])).stdout)).toHaveLength(3)
    expect(idsOf((await run(['user', 'list', '--json', '--query', 'USER-29'])).stdout)).toHaveLength(11)
  })

  it('says on standard error that there is nothing, and leaves standard output empty', async () => {
    const { run } = openTestCli()
    expect(await run(['user', 'list'])).toEqual({ exitCode: 0, stdout: '', stderr: 'No user was found.\n' })
    expect(JSON.parse((await run(['user', 'list', '--json'])).stdout)).toEqual({ items: [], next: null })
  })

  it('exits 2 for a cursor or a role that there is not', async () => {
    const { run } = openTestCli()
    expect((await run(['user', 'list', '--after', '!'])).stderr).toMatch(/^error: This cursor is not valid\./)
    const { exitCode, stdout, stderr } = await run(['user', 'list', '--role', 'king', '--json'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: 'InvalidInput', details: [{ field: 'role' }] })
  })

  it('exits 130 when it is interrupted', async () => {
    const { run } = await users(1)
    const { exitCode, stdout } = await run(['user', 'list'], { signal: AbortSignal.abort() })
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
  })
})

describe('rollcall feed list', () => {
  it('lists feeds', async () => {
    const { run } = openTestCli()
    await run(['feed', 'put', 'news', '--title', 'The news', '--language', 'en'])
    expect((await run(['feed', 'list'])).stdout).toMatch(/^news +The news +en +open +0 +2026/m)
    expect(JSON.parse((await run(['feed', 'list', '--json'])).stdout).items).toMatchObject([
      { name: 'default', language: null },
      { name: 'news', title: 'The news', description: '', language: 'en' },
    ])
  })
})

describe('rollcall audit list', () => {
  it('lists records from a number on, which is also how a limited list says to go on', async () => {
    const { run } = await users(50)
    const { items, next } = JSON.parse((await run(['audit', 'list', '--json', '--after', '40', '--limit', '3'])).stdout)
    expect(items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([41, 42, 43])
    expect(next).toBe(43)
    expect(items[0]).toEqual({
      ...{ id: 41, sequence: 41, at: '2026-01-01T00:00:00.000Z', actor: 'operator:tester', role_source: 'operator' },
      ...{ token_id: null, channel: 'cli', request_id: null, action: 'user.put', target: 'user-41', outcome: 'done' },
      ...{ reason: null, count: 1 },
      roles_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect((await run(['audit', 'list', '--after', '49'])).stdout).toMatch(/^50 .* user\.put +user-50 +done$/m)
  })
})
