import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Home } from './running-service.ts'

const MAIN = path.join(import.meta.dirname, '../src/main.ts')
const PATIENCE = 600_000

export interface TerminalOptions {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The binary on a real terminal, as `script` of util-linux makes one: what is typed goes through the line discipline. */
export class PseudoTerminal implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly ended: Promise<number | null>
  /** Everything that was shown so far, escape sequences and all. */
  shown = ''
  #hasEnded = false

  constructor({ folder, settings }: Home, args: readonly string[], { columns = 80, env = {} }: TerminalOptions = {}) {
    const command = [process.execPath, MAIN, ...args].map(quoted).join(' ')
    const named = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value]))
    // `script` leaves the size of its terminal at nothing if it has none itself.
    this.#child = spawn('script', ['-qec', `stty cols ${columns} rows 24; exec ${command}`, '/dev/null'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', SHELL: '/bin/sh', TERM: 'xterm', ...named, ...env },
      stdio: 'pipe',
    })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.shown += text
    })
    // Where there is no terminal, `script` says why.
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.shown += text
    })
    this.ended = once(this.#child, 'close').then(([code]) => {
      this.#hasEnded = true
      return code
    })
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  /** What was shown, without the escape sequences: a line is what was written last from where the cursor came back to. */
  get lines(): string[] {
    // biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
    const plain = this.shown.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '')
    return plain.split(/\r?\n/).map((line) => line.split(/\r|\u001b8/).at(-1) ?? '')
    // biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above
  }

  /** Resolves once the text is shown. */
  async shows(text: string): Promise<void> {
    for (const end = Date.now() + PATIENCE; !this.shown.includes(text); await sleep(20)) {
      if (Date.now() > end || this.#hasEnded) throw new Error(`'${text}' was never shown, but: ${this.shown}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }
}
