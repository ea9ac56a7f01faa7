import { chmod } from 'node:fs/promises'
import { CliError, type Diagnosis, ExitCode } from '@rollcall/cli'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { openTestCli, Screen } from './terminal.ts'

const WELL: Diagnosis = { check: 'clock', status: 'ok', message: 'It is right.', remedy: undefined }
const SO_SO: Diagnosis = { check: 'server', status: 'warning', message: 'None runs.', remedy: 'Start it.' }
const ILL: Diagnosis = { check: 'disk', status: 'failed', message: 'It is full\u001b[2J.', remedy: 'Make room.' }

const finding = (...diagnoses: readonly Diagnosis[]) =>
  openTestCli({
    async *diagnose() {
      yield* diagnoses
    },
  })

describe('rollcall doctor', () => {
  it('prints a line for each finding, with what to do, and exits 3 where something failed', async () => {
    const { run, opened } = finding(WELL, SO_SO, ILL)
    expect(await run(['doctor'])).toEqual({
      exitCode: 3,
      stdout:
        'ok       clock: It is right.\nwarning  server: None runs. Start it.\nfailed   disk: It is full\\u001b[2J. Make room.\n',
      stderr: '',
    })
    expect(opened.times).toBe(0)
  })

  it('exits 0 with warnings alone', async () => {
    expect((await finding(WELL, SO_SO).run(['doctor'])).exitCode).toBe(0)
    expect((await finding(WELL, SO_SO).run(['doctor', '--json'])).exitCode).toBe(0)
  })

  it('prints one document with --json', async () => {
    const { exitCode, stdout } = await finding(WELL, ILL).run(['doctor', '--json'])
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      3,
      { checks: [{ ...WELL, remedy: null }, ILL], ok: 1, warnings: 0, failed: 1 },
    ])
  })

  it('exits 4 where the configuration cannot be used, after telling all that is wrong with it', async () => {
    const { run } = openTestCli({
      async *diagnose() {
        yield ILL
        throw new CliError('Nothing else can be checked.', {
          name: 'ConfigurationNotValid',
          exitCode: ExitCode.unusable,
        })
      },
    })
    expect(await run(['doctor'])).toMatchObject({ exitCode: 4, stderr: 'error: Nothing else can be checked.\n' })
    const machine = await run(['doctor', '--json'])
    expect([JSON.parse(machine.stdout).failed, JSON.parse(machine.stderr).error]).toEqual([1, 'ConfigurationNotValid'])
  })

  it('has colours where they are liked', async () => {
    const coloured = async (noColor: boolean) =>
      (await finding(SO_SO).run(['doctor'], { stdout: new Screen({ isTTY: true }), noColor })).stdout
    expect(await coloured(false)).toContain('\u001b[33mwarning\u001b[39m')
    expect(await coloured(true)).toBe('warning  server: None runs. Start it.\n')
  })

  it('hands on where a test mail shall go', async () => {
    const asked: unknown[] = []
    const { run } = openTestCli({
      async *diagnose(options) {
        asked.push(options)
        yield* []
      },
    })
    await run(['doctor', '--send-to', 'ops@example.com'])
    await run(['doctor'])
    expect(asked).toEqual([
      { sendTo: 'ops@example.com', token: undefined },
      { sendTo: undefined, token: undefined },
    ])
  })

  describe('--token', () => {
    const { write } = temporaryFolder()
    const asking = () => {
      const asked: unknown[] = []
      const { run } = openTestCli({
        async *diagnose({ token }) {
          asked.push(token)
          yield* []
        },
      })
      return { run, asked }
    }

    it('hands on what is in the file, or comes from standard input, without the line break', async () => {
      const { run, asked } = asking()
      const file = await write('token', 'abc\r\n')
      for (const argv of [
        ['doctor', '--token', file],
        ['--token', file, 'doctor', '--json'],
        ['doctor', `--token=${file}`],
      ])
        expect(await run(argv)).toMatchObject({ exitCode: 0, stderr: '' })
      expect((await run(['doctor', '--token', '-'], { stdin: 'def\n' })).exitCode).toBe(0)
      expect(asked).toEqual(['abc', 'abc', 'abc', 'def'])
    })

    it.skipIf(process.platform === 'win32')('warns of a file that others can read', async () => {
      const { run, asked } = asking()
      const file = await write('open-token', 'abc')
      await chmod(file, 0o644)
      const warned = `warning  token file: The file ${file}, which holds an access token, is open to other users. Close it: chmod 600 ${file}\n`
      expect(await run(['doctor', '--token', file])).toEqual({ exitCode: 0, stdout: warned, stderr: '' })
      await chmod(file, 0o600)
      expect(await run(['doctor', '--token', file])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
      expect(asked).toEqual(['abc', 'abc'])
    })

    it('is a usage error with something else than a file, and a token that is given instead is not shown', async () => {
      const { run, asked } = asking()
      for (const value of ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', 'x'.repeat(5_000), '/', '/no/such/file']) {
        const { exitCode, stdout, stderr } = await run(['doctor', '--token', value])
        expect([exitCode, stdout]).toEqual([2, ''])
        expect(stderr).toMatch(/^error: .*--token.*file/)
        if (value.length > 20) expect(stderr).not.toContain(value.slice(0, 20))
      }
      expect(asked).toEqual([])
    })

    it('is explained by the help, and is still the token of a server elsewhere', async () => {
      const { run } = asking()
      expect((await run(['doctor', '--help'])).stdout).toContain('--token <file>')
      expect((await run(['user', 'list', '--token', 'abc'])).stderr).toContain('go with --server')
      expect((await run(['completion', 'bash'])).stdout).toMatch(/'doctor --token'\) _rollcall_files/)
    })
  })
})
