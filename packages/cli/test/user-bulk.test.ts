import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, openTestCli } from './terminal.ts'

const folder = temporaryFolder()

const opened = async () => {
  const cli = openTestCli({}, { deleteGrace: 60_000 })
  await cli.putUser('root', ['admin'])
  for (const id of ['a', 'b']) await cli.putUser(id, ['sender'])
  const user = async (id: string) => JSON.parse((await cli.run(['user', 'show', id, '--json'])).stdout)
  return { ...cli, user, list: await folder.write('list', 'a\nb\n\nnobody\na\n') }
}

const rest = { not_found: 1, refused: 0, left_out: 0, repeated: 1, blank: 1 }
const pace = { interrupted: false, seconds: expect.any(Number), rows_per_second: expect.any(Number) }

describe('a list of users', () => {
  it.each([
    ['suspend', [], { suspended: 2, already_suspended: 0 }],
    ['resume', [], { resumed: 0, not_suspended: 2 }],
    ['set', ['--add-role', 'auditor', '--remove-role', 'sender'], { changed: 2, unchanged: 0 }],
  ] as const)('is changed like one that is deleted: %s', async (verb, options, counts) => {
    const { run, list } = await opened()
    const argv = ['user', verb, '--from', list, ...options, '--yes', '--json', '--reason', 'ticket 1']
    const { exitCode, stdout } = await run(argv)
    expect([exitCode, jsonLines(stdout).at(-1)]).toEqual([3, { report: { ...counts, ...rest, ...pace } }])
  })

  it.each([
    ['suspend', [], 'suspension', 'already_suspended'],
    ['set', ['--add-role', 'auditor'], 'role change', 'unchanged'],
  ] as const)('is planned, changed as planned, and known again: %s', async (verb, options, noun, already) => {
    const { run, list, user } = await opened()
    const plan = folder.path(`${verb}.plan`)
    const made = await run(['user', verb, '--from', list, '--plan', plan, ...options])
    expect(made).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`Planned 2 ${noun}s. Do it with`) })
    expect(await user('a')).toMatchObject({ roles: ['sender'] })
    const wrong = await run(['user', 'delete', '--apply', plan, '--yes'])
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`a plan for \`rollcall user ${verb}\``),
    })
    const apply = ['user', verb, '--apply', plan, '--yes', '--json']
    expect((await run(apply)).exitCode).toBe(0)
    expect(jsonLines((await run(apply)).stdout).at(-1)).toMatchObject({ report: { [already]: 2, refused: 0 } })
  })

  it('asks for the number, and says what will be', async () => {
    const { run, user } = await opened()
    const argv = ['user', 'suspend', 'a', 'b']
    const declined = await run(argv, { answers: [['Type 2 to suspend them:', '3\r']] })
    expect(declined).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('2 users will be suspended.') })
    expect(declined.stderr).toContain('No user was suspended, because it was not confirmed.')
    expect(await user('a')).not.toHaveProperty('suspended_at')
  })
})

describe('rollcall user set', () => {
  it('gives one user a role and takes another', async () => {
    const { run, user } = await opened()
    const argv = ['user', 'set', 'a', '--add-role', 'auditor', '--remove-role', 'sender']
    expect(await run(argv)).toEqual({ exitCode: 0, stdout: 'Changed user a.\n', stderr: '' })
    expect(await user('a')).toMatchObject({ roles: ['auditor'] })
    expect(await run(['user', 'set', 'nobody', '--add-role', 'auditor'])).toMatchObject({ exitCode: 3 })
    const stderr = expect.stringContaining("error: 'add': Use only these roles")
    expect(await run(['user', 'set', 'a', '--add-role', 'king'])).toMatchObject({ exitCode: 2, stderr })
  })

  it('exits 2 where one user is changed otherwise as well, and where none is named', async () => {
    const { run } = await opened()
    const role = ['--add-role', 'auditor']
    for (const argv of [['a', ...role, '--email', 'x@example.com'], role])
      expect((await run(['user', 'set', ...argv])).exitCode).toBe(2)
  })
})
