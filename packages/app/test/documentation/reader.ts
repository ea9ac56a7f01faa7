import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { expect } from 'vitest'
import { Home } from '../running-service.ts'
import type { ServiceInProcess } from '../serve-in-process.ts'
import { type Block, isExecuted, ROOT, type Step, stepsOf } from './blocks.ts'

const MAIN = path.join(ROOT, 'packages/app/src/main.ts')
// Last on the path: a curl that is installed comes first.
const STAND_INS = path.join(ROOT, 'packages/app/test/stand-ins')

/** What npm and Vitest have set, and settings of the person who runs them. */
const OF_THE_TEST = /^(?:ROLLCALL_|npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$)/

export interface Circumstances {
  /** What stands on the page for something of the reader's own, and what it is here. */
  readonly substitutes?: Readonly<Record<string, string>>
  /** Settings that the page takes for granted. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether the page itself says when to start the service. */
  readonly notYetServed?: boolean
  /** What a reader does by hand, or waits for, before a line that has this text. */
  readonly before?: Readonly<Record<string, (reader: Reader) => Promise<unknown>>>
}

/** Does what a page says, in its order, in a folder of its own. */
export class Reader implements AsyncDisposable {
  readonly home: Home
  readonly executed: Block[] = []
  #substitutes: readonly (readonly [string, string])[]
  readonly #circumstances: Circumstances
  #ownSettings: Record<string, string> = {}
  #variables: string[] = []
  #server: ServiceInProcess | undefined

  private constructor(home: Home, circumstances: Circumstances) {
    this.home = home
    this.#circumstances = circumstances
    this.#substitutes = Object.entries({
      'http://127.0.0.1:8080': home.url,
      '127.0.0.1:8080': `127.0.0.1:${home.port}`,
      '/backups/': `${home.folder}/backups/`,
      '/keys/': `${home.folder}/keys/`,
      ...circumstances.substitutes,
    })
  }

  static async open(circumstances: Circumstances = {}): Promise<Reader> {
    const home = await Home.make(circumstances.settings)
    const reader = new Reader(home, circumstances)
    await reader.#installProgram()
    return reader
  }

  /** What stands on the page, and what it is here. */
  substitute(there: string, here: string): void {
    this.#substitutes = [...this.#substitutes, [there, here]]
  }

  /** The page, from its beginning to its end. */
  async follow(page: string): Promise<this> {
    if (!this.#circumstances.notYetServed) await this.serve()
    for (const step of stepsOf(page)) await this.take(step)
    return this
  }

  async take(step: Step): Promise<void> {
    const { page, line, file, language, code } = step
    const here = this.#here(code)
    if (file === '.env') return await this.#configure(here)
    if (file !== undefined) return await this.write(file, here)
    const printed = language === 'http' ? await this.#send(here) : await this.#type(here, `${page}:${line}`)
    for (const answer of step.answers) expectLines(this.#here(answer), printed, `${page}:${line}`)
    if (isExecuted(step)) this.executed.push(step)
  }

  /** What the reader does again, later. */
  async type(code: string): Promise<string> {
    return await this.#type(this.#here(code), 'again')
  }

  /** Starts the service, again where it runs. */
  async serve(): Promise<void> {
    await this.stop()
    this.#server = await this.home.serveInProcess(this.#ownSettings)
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
    this.#server = undefined
  }

  #here(text: string): string {
    return this.#substitutes.reduce((result, [there, here]) => result.replaceAll(there, here), text)
  }

  get #environment(): NodeJS.ProcessEnv {
    const own = new Set(Object.keys(this.#ownSettings).map((name) => `ROLLCALL_${name}`))
    const given = Object.entries(this.home.environment()).filter(([name]) => !own.has(name))
    const PATH = [
      path.join(this.home.folder, 'node_modules/.bin'),
      path.dirname(process.execPath),
      process.env.PATH,
      STAND_INS,
    ]
    const kept = Object.entries(process.env).filter(([name]) => !OF_THE_TEST.test(name))
    // The folder is the reader's home; how npm reaches a registry, and what it has of it, are this machine's.
    const npm = {
      npm_config_cache: path.join(os.homedir(), '.npm'),
      npm_config_userconfig: path.join(os.homedir(), '.npmrc'),
      npm_config_update_notifier: 'false',
    }
    const home = { HOME: this.home.folder, ...npm }
    return { ...Object.fromEntries([...kept, ...given]), ...home, PATH: PATH.join(path.delimiter) }
  }

  /** What `npm install` would have put there. */
  async #installProgram(): Promise<void> {
    const program = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`
    await this.write('node_modules/.bin/rollcall', program, 0o755)
    await this.write('package.json', '{ "private": true }\n')
  }

  async write(file: string, text: string, mode = 0o600): Promise<void> {
    const target = path.resolve(this.home.folder, file)
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
    await writeFile(target, text, { mode })
  }

  async #configure(text: string): Promise<void> {
    await this.write('.env', text)
    const settings = Object.entries(parseEnv(text)).map(([name, value = '']) => [name.replace(/^ROLLCALL_/, ''), value])
    this.#ownSettings = Object.fromEntries(settings)
    if (this.#server !== undefined) await this.serve()
  }

  /** Line by line where something has to happen between two of them, else all at once. */
  async #type(code: string, where: string): Promise<string> {
    let printed = ''
    let lines: string[] = []
    const enter = async () => {
      printed += await this.#run(lines, where)
      lines = []
    }
    for (const line of code.trimEnd().split('\n').flatMap(partsOf)) {
      // What the test itself was installed by; the system tier installs a clone.
      if (/^(?:git clone \S+|cd rollcall|npm ci)$/.test(line)) continue
      const { before = {} } = this.#circumstances
      const acts = Object.entries(before).flatMap(([text, act]) => (line.includes(text) ? [act] : []))
      const serves = /^(?:rollcall serve|npm start)$/.test(line)
      if (acts.length > 0 || serves) await enter()
      for (const act of acts) await act(this)
      if (serves) await this.serve()
      else lines.push(line)
    }
    await enter()
    return printed
  }

  async #run(lines: readonly string[], where: string): Promise<string> {
    const script = [...this.#variables, ...lines].join('\n')
    this.#variables.push(...lines.filter((line) => /^(?:export |unset |[A-Z_]+=)/.test(line)))
    if (script.trim() === '') return ''
    return await new Promise((resolve, reject) => {
      const options = { cwd: this.home.folder, env: this.#environment }
      const child = execFile('bash', ['-ec', script], options, (error, stdout, stderr) => {
        if (error === null) resolve(`${stdout}\n${stderr}`)
        else reject(new Error(`${where}: exit code ${error.code}\n${script}\n${stdout}\n${stderr}`))
      })
      child.stdin?.end()
    })
  }

  /** A request as RFC 9112 writes it; `$TOKEN` is an administrator's. */
  async #send(text: string): Promise<string> {
    const [head = '', ...body] = text.trimEnd().split('\n\n')
    const [first = '', ...fields] = head.split('\n')
    const [method = '', target = ''] = first.split(' ')
    const token = await this.home.token('reader', 'admin')
    const headers = fields.map((field): [string, string] => {
      const [name = '', ...value] = field.split(': ')
      return [name, value.join(': ').replace('$TOKEN', token)]
    })
    const sent = body.length > 0 ? { body: body.join('\n\n') } : {}
    const answer = await fetch(`${this.home.url}${target}`, { method, headers, redirect: 'manual', ...sent })
    const named = [...answer.headers].map(
      ([name, value]) => `${name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}: ${value}`,
    )
    return [`HTTP/1.1 ${answer.status} ${answer.statusText}`, ...named, '', await answer.text()].join('\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.home[Symbol.asyncDispose]()
  }
}

/** Commands in one line, of which some are not for this reader. */
const partsOf = (line: string): string[] => (line.startsWith('git clone ') ? line.split(' && ') : [line])

const LINES = 'any number of lines'
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Each line is there, in this order; `…` is anything. */
export const expectLines = (expected: string, printed: string, where: string): void => {
  const actual = printed.replaceAll('\r', '').split('\n')
  let from = 0
  for (const line of expected.trimEnd().split('\n')) {
    if (line.trim() === '' || line === '…') continue
    const pattern = new RegExp(`^${line.trimEnd().split('…').map(escaped).join('.*')}$`)
    const at = actual.findIndex((candidate, index) => index >= from && pattern.test(candidate.trimEnd()))
    if (at < 0) expect(actual.slice(from).join('\n'), `${where}: what is printed`).toBe(`${LINES}, then:\n${line}`)
    from = at + 1
  }
}

/** What the reader finds in a file of the folder. */
export const contentOf = (reader: Reader, file: string): Promise<string> =>
  readFile(path.join(reader.home.folder, file), 'utf8')
