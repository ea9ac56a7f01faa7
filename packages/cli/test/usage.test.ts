import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { jsonLines, openTestCli, Screen } from './terminal.ts'

const namesIn = (help: string): string[] =>
  [...(help.split('\nCommands:\n')[1] ?? '').split('\n\n')[0]!.matchAll(/^ {2}([a-z-]+)[ |]/gm)].map(
    ([, name]) => name!,
  )

describe('usage', () => {
  it('has help with an example, --json and exit codes for every command that any help names, and opens nothing', async () => {
    const { run, opened } = openTestCli()
    const look = async (...command: readonly string[]): Promise<void> => {
      const { exitCode, stdout, stderr } = await run(['help', ...command])
      expect([command, exitCode, stderr]).toEqual([command, 0, ''])
      expect(stdout).toBe((await run([...command, '--help'])).stdout)
      const below = namesIn(stdout).filter((name) => name !== 'help')
      for (const name of below) await look(...command, name)
      if (below.length > 0) return
      const usage = `rollcall ${command.join(' ')}`
      for (const part of [`Usage: ${usage}`, '--json', 'Exit codes: 0 done']) expect(stdout).toContain(part)
      expect(stdout).toMatch(new RegExp(`^Examples:\\n( {2}.*\\n)* {2}\\$ .*${usage}`, 'm'))
      const lines = stdout.split('\nExamples:')[0]!.split('\n')
      expect([command, lines.filter((line) => line.length > 80)]).toEqual([command, []])
    }
    await look()
    expect(opened.times).toBe(0)
  })

  it('says in the help of a command which options it cannot do without, and no default that is nothing', async () => {
    const { run } = openTestCli()
    for (const [verb, option] of Object.entries({ end: '--reason <text>', confirm: '--reason <text>' })) {
      const { stdout } = await run(['subscription', verb, '--help'])
      expect(stdout).toMatch(new RegExp(`^ {2}${option}[^]*?\\(required\\)\\n {2}-h`, 'm'))
    }
    expect((await run(['user', 'put', '--help'])).stdout).toMatch(/^ {2}--email <address> .*\(required\)$/m)
    expect((await run(['subscription', 'import', '--help'])).stdout).not.toContain('{}')
    for (const verb of ['backup', 'restore']) expect((await run([verb, '--help'])).stdout).not.toContain('[]')
  })

  it.each([40, 60])('fits a terminal of %i columns, but for what cannot be divided', async (columns) => {
    const { run } = openTestCli()
    for (const command of [[], ['user', 'delete'], ['subscription', 'export']]) {
      const { stdout } = await run([...command, '--help'], { stdout: new Screen({ isTTY: true, columns }) })
      const lines = stdout.split('Examples:')[0]!.split('\n')
      const wide = lines.filter((line) => stripVTControlCharacters(line).length > columns)
      expect(wide.filter((line) => !/^\S*Usage:/.test(line))).toEqual([])
    }
  })

  it('says in a line what a command does, and its other name', async () => {
    expect((await openTestCli().run(['help', 'user'])).stdout).toMatch(/^ {2}delete\|rm .*Delete users permanently$/m)
  })

  it('says which command it does not know where help is asked for', async () => {
    const { run } = openTestCli()
    for (const [argv, name, help] of [
      [['help', 'nosuch'], 'nosuch', ''],
      [['help', 'user', 'nosuch'], 'user nosuch', 'user '],
      [['help', 'user', 'list', 'x'], 'user list x', 'user list '],
    ] as const)
      expect(await run(argv)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining(`\nerror: Unknown command '${name}'. See \`rollcall ${help}--help\`.\n`),
      })
  })

  it.each([[[]], [['user']], [['help', 'nosuch']], [['help', 'user', 'nosuch']]])(
    'shows the help on standard error and exits 2 for %j',
    async (argv) => {
      const { exitCode, stdout, stderr } = await openTestCli().run(argv)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toMatch(/^Usage: rollcall/)
    },
  )

  it('prints the version', async () => {
    expect(await openTestCli().run(['--version'])).toEqual({ exitCode: 0, stdout: '1.2.3\n', stderr: '' })
  })

  it.each([
    [['usr'], "error: Unknown command 'usr'. Did you mean user? See `rollcall --help`."],
    [['user', 'lst'], "error: Unknown command 'lst'. Did you mean list? See `rollcall user --help`."],
    [['user', 'list', '--jsn'], "error: Unknown option '--jsn'. Did you mean --json? See `rollcall user list --help`."],
    [['user', 'show'], "error: Missing required argument 'id'. See `rollcall user show --help`."],
    [['user', 'show', 'a', 'b'], /^error: Too many arguments for 'show'\./],
    [['user', 'put', 'a'], "error: Required option '--email <address>' not specified. See `rollcall user put --help`."],
    [['user', 'list', '--limit', '0'], /'0' is invalid\. Give a whole number, 1 or more\. See/],
    [['user', 'delete', 'a', '--subscriptions', 'burn'], /Allowed choices are keep, erase\. See/],
    [['serve', '--port', '65536'], /Give a whole number, from 1 to 65535\. See/],
    [['token', 'issue', '--subject', 'a', '--ttl', '1y'], /Give a duration such as 90s, 15m, 1h or 7d\. See/],
    [['\u001b[31m'], "error: Unknown command '\\u001b[31m'. See `rollcall --help`."],
  ])('exits 2 for %j and says what is wrong', async (argv, expected) => {
    const { run, opened } = openTestCli()
    const { exitCode, stdout, stderr } = await run(argv)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    if (typeof expected === 'string') expect(stderr).toBe(`${expected}\n`)
    else expect(stderr).toMatch(expected)
    expect(stderr.match(/\n/g)).toHaveLength(1)
    expect(opened.times).toBe(0)
  })

  it('reports a usage error as JSON with --json', async () => {
    const { stderr } = await openTestCli().run(['user', 'show', '--json'])
    expect(jsonLines(stderr)).toEqual([{ error: 'UsageError', message: expect.stringContaining("argument 'id'") }])
  })

  it('has no colour in the help where it is not wanted', async () => {
    const { run } = openTestCli()
    expect((await run(['--help'], { answers: [] })).stdout).toContain('\u001b[1mUsage:')
    expect((await run(['--help'], { answers: [], noColor: true })).stdout).not.toContain('\u001b')
    expect((await run(['--help'])).stdout).not.toContain('\u001b')
  })
})
