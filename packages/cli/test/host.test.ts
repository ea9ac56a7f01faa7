import { CliError, ExitCode, type ServeOptions } from '@rollcall/cli'
import { OperatorError } from '@rollcall/platform-node'
import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

describe('rollcall serve', () => {
  it('hands its options and the signal to the host and ends with the exit code of the host', async () => {
    const calls: [ServeOptions, AbortSignal][] = []
    const { run } = openTestCli({
      serve: async (...call) => {
        calls.push(call)
        return 4
      },
    })
    const { signal } = new AbortController()
    expect((await run(['serve', '--port', '3000', '--open', '--json'], { signal })).exitCode).toBe(4)
    await run(['serve'], { signal })
    expect(calls).toEqual([
      [{ port: 3000, open: true, json: true }, signal],
      [{ port: undefined, open: false, json: false }, signal],
    ])
  })
})

describe('rollcall migrate', () => {
  it.each([
    [[], 'The schema is up to date.\n'],
    [['1-users'], 'Applied 1 migration: 1-users.\n'],
    [['1-users', '2-feeds'], 'Applied 2 migrations: 1-users, 2-feeds.\n'],
  ])('says what it applied: %j', async (applied, stdout) => {
    const { run } = openTestCli({ migrate: async () => applied })
    expect(await run(['migrate'])).toEqual({ exitCode: 0, stdout, stderr: '' })
    expect(JSON.parse((await run(['migrate', '--json'])).stdout)).toEqual({ applied })
  })

  it('says on standard error what it waits for, and can be interrupted meanwhile', async () => {
    const interruption = new AbortController()
    const { run } = openTestCli({
      migrate: async ({ onWait, signal }) => {
        onWait('the table feed is not free')
        interruption.abort()
        signal.throwIfAborted()
        return []
      },
    })
    expect(await run(['migrate'], { signal: interruption.signal })).toEqual({
      exitCode: 130,
      stdout: '',
      stderr: 'the table feed is not free.\nerror: Interrupted while it waited. Nothing was changed.\n',
    })
  })

  it('only checks with --check, and exits 3 and says what to run when something is missing', async () => {
    const migrate = async () => {
      throw new Error('must not be called')
    }
    const { run } = openTestCli({ migrate, pendingMigrations: async () => ['2-feeds'] })
    expect(await run(['migrate', '--check'])).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: 'error: 1 migration missing: 2-feeds. Run `rollcall migrate`.\n',
    })
    const { exitCode, stdout, stderr } = await run(['migrate', '--check', '--json'])
    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout)).toEqual({ pending: ['2-feeds'] })
    expect(JSON.parse(stderr)).toMatchObject({ error: 'MigrationsPending' })
  })

  it('exits 0 with --check when nothing is missing', async () => {
    const { run } = openTestCli()
    expect(await run(['migrate', '--check'])).toMatchObject({ exitCode: 0, stdout: 'The schema is up to date.\n' })
    expect(JSON.parse((await run(['migrate', '--check', '--json'])).stdout)).toEqual({ pending: [] })
  })
})

describe('what goes wrong in the host', () => {
  it('is shown with its own message, with its own exit code', async () => {
    const error = new CliError("ROLLCALL_PORT is 'x'. Give a port.", {
      name: 'ConfigurationNotValid',
      exitCode: ExitCode.unusable,
    })
    const { run } = openTestCli({ open: () => Promise.reject(error) })
    expect(await run(['user', 'list'])).toEqual({ exitCode: 4, stdout: '', stderr: `error: ${error.message}\n` })
    const { stderr } = await run(['user', 'list', '--json'])
    expect(JSON.parse(stderr)).toEqual({ error: 'ConfigurationNotValid', message: error.message })
  })

  it('exits 4 where an operator must fix something, whatever package says so', async () => {
    class DiskNotUsable extends OperatorError {
      override readonly name = 'DiskNotUsable'
    }
    const { run } = openTestCli({ migrate: () => Promise.reject(new DiskNotUsable('The disk is full. Make room.')) })
    expect(await run(['migrate'])).toEqual({ exitCode: 4, stdout: '', stderr: 'error: The disk is full. Make room.\n' })
    const { exitCode, stderr } = await run(['migrate', '--json'])
    expect([exitCode, JSON.parse(stderr)]).toEqual([
      4,
      { error: 'DiskNotUsable', message: 'The disk is full. Make room.' },
    ])
  })

  it('exits 1 with a trace on an unexpected error', async () => {
    const { run } = openTestCli({ migrate: () => Promise.reject(new TypeError('x is\u001b[31m undefined')) })
    const { exitCode, stderr } = await run(['migrate'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: Something unexpected went wrong: TypeError: x is\\u001b\[31m undefined\n {4}at /)
    expect(JSON.parse((await run(['migrate', '--json'])).stderr)).toEqual({
      error: 'InternalError',
      message: expect.stringContaining('TypeError'),
    })
  })

  it('closes what it opened, whatever came of the command', async () => {
    const { run, opened } = openTestCli()
    await run(['user', 'show', 'nobody'])
    await run(['user', 'list'])
    expect(opened).toEqual({ times: 2, closed: 2 })
  })
})
