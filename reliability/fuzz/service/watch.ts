import { setTimeout as sleep } from 'node:timers/promises'
import { GUARDED, PERSONAL } from '../dictionary.ts'
import type { LoggedService } from './logged-service.ts'

const LEVELS_OF_DEFECTS = ['error', 'fatal']

/** Checks every line of the log. */
export class LogWatch {
  readonly #secrets: readonly string[]
  readonly #found: (problem: string, requestId: string | undefined) => void
  #rest = ''

  constructor(secrets: readonly string[], found: (problem: string, requestId: string | undefined) => void) {
    this.#secrets = [PERSONAL, ...secrets].map((secret) => secret.toLowerCase())
    this.#found = found
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') this.#read(line)
  }

  #read(line: string): void {
    const record = recordIn(line)
    const requestId = typeof record?.request_id === 'string' ? record.request_id : undefined
    if (record === undefined) this.#found(`log-line: ${line.slice(0, 400)}`, requestId)
    else if (LEVELS_OF_DEFECTS.includes(String(record.level)))
      this.#found(`log-error: ${line.slice(0, 1_000)}`, requestId)
    const lower = line.toLowerCase()
    const secret = this.#secrets.find((one) => lower.includes(one))
    if (secret !== undefined) this.#found(`log-privacy: ${line.slice(0, 1_000)}`, requestId)
  }
}

const recordIn = (line: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const EVERY = 500
const GUARD_EVERY = 10
/** Milliseconds within which a working service answers, even on a busy machine. */
const SLOWEST = 60_000
const MOST_MEMORY = 700 * 2 ** 20

export interface HealthFigures {
  /** Milliseconds: the longest that `GET /livez` took meanwhile. */
  readonly slowest: number
  readonly mostMemory: number
}

/** Checks the health of the service during the run. */
export class Watch {
  readonly #service: LoggedService
  readonly #guarded: GuardedThings
  readonly #found: (problem: string) => void
  #stopped = false
  #running: Promise<void> | undefined
  #slowest = 0
  #mostMemory = 0

  constructor(service: LoggedService, guarded: GuardedThings, found: (problem: string) => void) {
    this.#service = service
    this.#guarded = guarded
    this.#found = found
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<HealthFigures> {
    this.#stopped = true
    await this.#running
    await this.#look(true)
    return { slowest: this.#slowest, mostMemory: this.#mostMemory }
  }

  async #run(): Promise<void> {
    for (let round = 1; !this.#stopped; round++) {
      await this.#look(round % GUARD_EVERY === 0)
      await sleep(EVERY)
    }
  }

  async #look(atGuardedThings: boolean): Promise<void> {
    if (!this.#service.isRunning) return
    this.#mostMemory = Math.max(this.#mostMemory, this.#service.residentBytes)
    if (this.#mostMemory > MOST_MEMORY) this.#found(`memory: ${this.#mostMemory >> 20} MB`)
    const begin = performance.now()
    try {
      const answer = await fetch(`${this.#service.url}/livez`, { signal: AbortSignal.timeout(SLOWEST) })
      await answer.arrayBuffer()
      if (answer.status !== 200) this.#found(`livez: ${answer.status}`)
      const problem = atGuardedThings ? await this.#guarded.problem() : undefined
      if (problem !== undefined) this.#found(problem)
    } catch (error) {
      if (this.#service.isRunning) this.#found(`livez: ${error}`)
    }
    this.#slowest = Math.max(this.#slowest, performance.now() - begin)
  }
}

const USERS = 5

/** Users and feeds that no input may change: created before, compared again and again. */
export class GuardedThings {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  #before: string | undefined

  constructor(url: string, token: string) {
    this.#url = url
    this.#headers = { Authorization: `Bearer ${token}` }
  }

  /** @throws {Error} the service refuses them */
  async make(): Promise<void> {
    for (let n = 1; n <= USERS; n++) {
      const user = { email: `${GUARDED}-${n}@example.com`, name: GUARDED, roles: n === 1 ? ['admin'] : [] }
      await this.#send('PUT', `/users/${GUARDED}-${n}`, user)
    }
    await this.#send('PUT', `/feeds/${GUARDED}`, { title: GUARDED })
    await this.#send('PUT', '/feeds/news', { title: 'News' })
    for (let n = 1; n <= USERS; n++)
      await this.#send('POST', '/subscribe', { email: `${GUARDED}-${n}@example.com`, feed: GUARDED })
    this.#before = await this.#read()
  }

  /** What is wrong with them. */
  async problem(): Promise<string | undefined> {
    return (await this.#read()) === this.#before ? undefined : 'guarded: something that must not change has changed'
  }

  async #read(): Promise<string> {
    const users = Array.from({ length: USERS }, (_, n) => `/users/${GUARDED}-${n + 1}`)
    const paths = [...users, `/feeds/${GUARDED}`, `/subscriptions?feed=${GUARDED}`]
    const texts: string[] = []
    for (const path of paths) texts.push(await this.#text(path))
    return texts.join('\n')
  }

  async #text(path: string): Promise<string> {
    const answer = await fetch(this.#url + path, { headers: this.#headers })
    return `${await answer.text()}`
  }

  async #send(method: string, path: string, fields: object): Promise<void> {
    const headers = { ...this.#headers, 'Content-Type': 'application/json' }
    const answer = await fetch(this.#url + path, { method, headers, body: JSON.stringify(fields) })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}`)
  }
}
