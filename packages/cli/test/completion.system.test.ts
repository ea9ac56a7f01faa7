import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

type Shell = 'bash' | 'fish' | 'zsh'

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']
const run = promisify(execFile)
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

let folder: string
const scriptOf = (shell: Shell): string => path.join(folder, `rollcall.${shell}`)

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-completion-'))
  await writeFile(path.join(folder, 'leavers.csv'), '')
  for (const shell of SHELLS) {
    const { exitCode, stdout, stderr } = await openTestCli().run(['completion', shell])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    await writeFile(scriptOf(shell), stdout)
  }
})
afterAll(() => rm(folder, { recursive: true }))

/** What bash would offer for the last of the words; bash splits a line at equals signs, too. */
const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
  const line = `source ${quoted(scriptOf('bash'))}; COMP_WORDS=(rollcall ${words.map(quoted).join(' ')})
    COMP_CWORD=${words.length}; _rollcall; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['--norc', '--noprofile', '-c', line], { cwd: folder })
  return stdout.split('\n').filter((word) => word !== '')
}

describe('completion in bash', () => {
  it('offers nouns, then verbs, then options', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(['user', 'serve', 'doctor', 'completion', 'help']))
    expect(await offered('su')).toEqual(['subscription', 'suppression'])
    expect(await offered('user', 'de')).toEqual(['delete'])
    expect(await offered('user', 'delete', '--')).toEqual(
      expect.arrayContaining(['--from', '--subscriptions', '--server', '--token-file', '--json', '--help']),
    )
    expect(await offered('user', 'delete', '')).toEqual([])
    expect(await offered('help', 'us')).toEqual(['user'])
  })

  it('offers the words of a closed set, and files where a file is to be named', async () => {
    expect(await offered('user', 'delete', '--subscriptions', '')).toEqual(['keep', 'erase'])
    expect(await offered('subscription', 'export', '--format', '=', 'c')).toEqual(['csv'])
    expect(await offered('subscription', 'export', '--format', '=')).toEqual(['ndjson', 'csv'])
    expect(await offered('completion', '')).toEqual(SHELLS)
    expect(await offered('user', 'delete', '--from', 'lea')).toEqual(['leavers.csv'])
    expect(await offered('subscription', 'import', 'lea')).toEqual(['leavers.csv'])
    expect(await offered('user', 'delete', '--reason', '')).toEqual([])
  })

  it('knows the command whatever stands between its words', async () => {
    expect(await offered('--json', 'user', 'sh')).toEqual(['show'])
    expect(await offered('--server', 'user', 'user', 'sh')).toEqual(['show'])
    expect(await offered('--server', '=', 'user', 'user', 'sh')).toEqual(['show'])
    expect(await offered('user', 'delete', 'user', '--pl')).toEqual(['--plan'])
  })

  it('does not offer a server where the machine of the service has to do it', async () => {
    expect(await offered('migrate', '--')).toEqual(['--check', '--help', '--json'])
  })
})

/** What the shell makes of a line that is typed on a real terminal, with a tab at its end. */
const typed = async (shell: Shell, start: string, line: string): Promise<string> => {
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: folder, SHELL: '/bin/sh', TERM: 'dumb' } }
  const terminal = spawn('script', ['-qec', start, '/dev/null'], { ...options, stdio: 'pipe' })
  const ended = once(terminal, 'close')
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const sees = async (text: RegExp): Promise<string> => {
    for (; terminal.exitCode === null; await sleep(20)) {
      const found = text.exec(shown)?.[1]
      if (found !== undefined) return found
    }
    throw new Error(`it ended: ${shown}`)
  }
  terminal.stdin.write("PS1='ready''> '\n")
  await sees(/(ready> )/)
  const compinit = shell === 'zsh' ? 'autoload -Uz compinit && compinit -u -D; ' : ''
  terminal.stdin.write(`${compinit}source ${quoted(scriptOf(shell))}; rollcall() { echo "g""ot[$*]"; }; echo "so"me\n`)
  await sees(/(some\r?\n)/)
  terminal.stdin.write(`${line}\t\n`)
  const result = await sees(/got\[([^\]]*)\]/)
  terminal.stdin.write('exit\n')
  await ended
  return result
}

describe('a tab on a real terminal', () => {
  it('completes a command in bash', async () => {
    const start = 'bash --norc --noprofile -i'
    expect(await typed('bash', start, 'rollcall user de')).toBe('user delete')
    expect(await typed('bash', start, 'rollcall user delete --subscriptions=k')).toBe(
      'user delete --subscriptions=keep',
    )
  })

  it('completes a command in zsh', async () => {
    expect(await typed('zsh', 'zsh -f -i', 'rollcall user de')).toBe('user delete')
  })
})

describe('completion in fish', () => {
  it.each([
    ['rollcall user de', ['delete\tDelete users permanently']],
    [
      'rollcall --json subscription export --format=c',
      ['--format=csv\tof the file (default: by its name, else ndjson)'],
    ],
    ['rollcall user delete --from lea', ['leavers.csv']],
    ['rollcall completion z', ['zsh']],
  ])('offers what fits: %s', async (line, expected) => {
    const program = `source ${quoted(scriptOf('fish'))}; complete -C ${quoted(line)}`
    const { stdout } = await run('fish', ['--no-config', '-c', program], { cwd: folder })
    expect(stdout.trim().split('\n')).toEqual(expected)
  })
})
