import { setTimeout as sleep } from 'node:timers/promises'
import { Mails } from '../target/mails.ts'
import type { Row } from '../target/rows.ts'
import { type Given, newDatabase, Target } from '../target/target.ts'
import { ask, keptAgent } from '../target/wire.ts'

/** What scenarios need to run. */
export interface WorldContext extends Given {
  /** Under load, if nothing else says how long. */
  readonly seconds: number
  /** Of instances. */
  readonly kills: number
  readonly log: (line: string) => void
}

/** A second. */
const SIGN_UPS = 200
const DELETIONS = 20
/** Milliseconds in which the service must answer 2xx after its database takes writes again. */
const AGAIN_WITHIN = 2_000
const PATIENCE = 30_000
/** Milliseconds for what is accepted to be carried out. */
const SETTLED_WITHIN = 60_000
/** Milliseconds for mails to come: one that may have been delivered waits for the cap of ten minutes. */
const MAILED_WITHIN = 720_000
const CHECKED_AT_ONCE = 50

interface Place {
  /** Of the PostgreSQL server; a function if another one may take over. */
  readonly server: () => string
  /** The URL by which the service reaches its database, if it is not the database's own. */
  readonly through?: (url: string) => string
  /** The port that clients connect to, if a proxy is in front. */
  readonly front?: number
  readonly settings?: Readonly<Record<string, string>>
}

/** What came of all requests under one kind of trouble. */
class Tally {
  times = 0
  done = 0
  /** Answered 503, or 408, 502 or 504 by something in between: to be asked again. */
  refused = 0
  cutOff = 0
  /** Answered 500 or with what was not asked for, which is never right. */
  faults = 0
  readonly again: number[] = []

  get failed(): number {
    return this.refused + this.cutOff + this.faults
  }
}

const most = (values: readonly number[]): number => Math.max(0, ...values)

/** A service under load, and a ledger of what its clients were answered. */
export class WorldRun implements AsyncDisposable {
  readonly target: Target
  readonly mails: Mails
  readonly port: number
  /** Of the database, as the service reaches it. */
  readonly url: string
  token = ''
  readonly rows: Row[] = []
  readonly #context: WorldContext
  readonly #owned: AsyncDisposableStack
  readonly #agent = keptAgent()
  /** Answered 200, so that they must be there; and users as they must be. */
  readonly #signedUp = new Set<string>()
  readonly #users = new Map<string, 'there' | 'gone'>()
  readonly #tallies = new Map<string, Tally>()
  #tally = new Tally()
  /** When each 2xx came. */
  readonly #times: number[] = []
  #count = 0

  private constructor(
    parts: { target: Target; mails: Mails; port: number; url: string; context: WorldContext },
    owned: AsyncDisposableStack,
  ) {
    this.target = parts.target
    this.mails = parts.mails
    this.port = parts.port
    this.url = parts.url
    this.#context = parts.context
    this.#owned = owned
  }

  /** Not started yet. */
  static async make(context: WorldContext, { server, through, front, settings }: Place): Promise<WorldRun> {
    await using owned = new AsyncDisposableStack()
    const mails = owned.use(await Mails.open())
    const own = await newDatabase(owned, server)
    const url = through?.(own) ?? own
    const all = { SMTP_URL: mails.url, DATABASE_URL: url, ...settings }
    const target = owned.use(await Target.make({ product: context.product }, all))
    return new WorldRun({ target, mails, port: front ?? target.port, url, context }, owned.move())
  }

  async start(): Promise<void> {
    await this.target.start()
    this.token = await this.target.token('root', 'admin')
  }

  /** Something happens under load, which counts under this name. Then it is looked whether anything is lost. */
  async under(name: string, happen: (tally: Tally) => Promise<void>): Promise<Tally> {
    const tally = this.#tallies.get(name) ?? new Tally()
    this.#tallies.set(name, tally)
    this.#tally = tally
    const over = new AbortController()
    const loads = [
      this.#load(SIGN_UPS, over.signal, () => this.#signUp()),
      this.#load(DELETIONS, over.signal, () => this.#delete()),
    ]
    const before = tally.done
    try {
      await happen(tally)
    } finally {
      over.abort()
      await Promise.all(loads)
    }
    if (tally.done === before) throw new Error(`${name}: nothing was acknowledged`)
    tally.times++
    const lost = await this.#lost()
    if (lost.length > 0)
      this.rows.push({
        figure: `lost after: ${name}`,
        found: lost.length,
        bound: 0,
        note: lost.slice(0, 20).join(', '),
      })
    this.#context.log(`  ${name}: ${tally.done} acknowledged in all, ${lost.length} lost`)
    return tally
  }

  calm(seconds: number): Promise<void> {
    return sleep(seconds * 1_000)
  }

  /** Waits for the next 2xx since the database takes writes. */
  async again(tally: Tally, since: number): Promise<void> {
    for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(5)) {
      const next = this.#times[this.#times.findLastIndex((time) => time < since) + 1]
      if (next === undefined) continue
      tally.again.push(next - since)
      return
    }
    tally.again.push(PATIENCE)
  }

  /** Every mail comes, and the service ends by SIGTERM. All rows. */
  async end(): Promise<readonly Row[]> {
    const unmailed = () => [...this.#signedUp].filter((email) => this.mails.of(email).length === 0)
    for (const end = performance.now() + MAILED_WITHIN; unmailed().length > 0 && performance.now() < end; )
      await sleep(200)
    const [missing, twice] = [unmailed(), [...this.#signedUp].filter((email) => this.#ids(email).size > 1)]
    this.target.service.signal('SIGTERM')
    const { code } = await this.target.service.ended
    return [
      ...[...this.#tallies].flatMap(([name, tally]) => this.#rowsOf(name, tally)),
      ...this.rows,
      {
        figure: 'sign-ups without their mail',
        found: missing.length,
        bound: 0,
        note: missing.slice(0, 5).join(', ') || undefined,
      },
      {
        figure: 'sign-ups with two different mails',
        found: twice.length,
        bound: 0,
        note: twice.slice(0, 5).join(', ') || undefined,
      },
      { figure: 'exit code after SIGTERM', found: code ?? Number.NaN, bound: 0 },
    ]
  }

  #ids(email: string): ReadonlySet<string> {
    return new Set(this.mails.of(email).map(({ messageId }) => messageId))
  }

  #rowsOf(name: string, { times, done, refused, cutOff, faults, again }: Tally): Row[] {
    const note = `${times} times; ${refused} put off, ${cutOff} cut off`
    return [
      { figure: `${name}: acknowledged`, found: done, bound: undefined, note },
      { figure: `${name}: answered wrongly`, found: faults, bound: 0 },
      ...(again.length === 0
        ? []
        : [{ figure: `${name}: longest until the next 2xx`, found: most(again), bound: AGAIN_WITHIN, unit: 'ms' }]),
    ]
  }

  /** At this rate, however fast it is answered; until the signal, and the last answer. */
  async #load(rate: number, signal: AbortSignal, one: () => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>()
    const began = performance.now()
    for (let sent = 0; !signal.aborted; await sleep(5))
      for (; sent < ((performance.now() - began) * rate) / 1_000; sent++) {
        const work = one()
        running.add(work)
        void work.finally(() => running.delete(work))
      }
    await Promise.all(running)
  }

  /** Whether it was answered with one of these statuses. */
  async #ask(line: string, statuses: readonly number[], more: object): Promise<boolean> {
    const tally = this.#tally
    const answer = await ask(this.port, line, { agent: this.#agent, ...more }).catch(() => undefined)
    if (answer === undefined) tally.cutOff++
    else if ([408, 502, 503, 504].includes(answer.status)) tally.refused++
    else if (!statuses.includes(answer.status)) tally.faults++
    else {
      tally.done++
      this.#times.push(performance.now())
      return true
    }
    return false
  }

  async #signUp(): Promise<void> {
    const email = `reader-${++this.#count}@example.com`
    if (await this.#ask('POST /subscribe', [200], { form: { email } })) this.#signedUp.add(email)
  }

  async #delete(): Promise<void> {
    const id = `user-${++this.#count}`
    const { token } = this
    const json = { email: `${id}@example.com`, name: id, roles: [] }
    if (!(await this.#ask(`PUT /users/${id}`, [200, 201], { token, json }))) return
    this.#users.set(id, 'there')
    if (await this.#ask(`DELETE /users/${id}`, [204], { token })) this.#users.set(id, 'gone')
    // It may have been done or not.
    else this.#users.delete(id)
  }

  /** What was acknowledged and is not as it must be, once the service has carried out what it has accepted. */
  async #lost(): Promise<readonly string[]> {
    const { target, token } = this
    const end = performance.now() + SETTLED_WITHIN
    let missing: readonly string[] = []
    do {
      const { body } = await target.ask('GET /subscriptions/export', { token }).catch(() => ({ body: '' }))
      const there = new Set([...body.matchAll(/"email":"([^"]+)"/g)].map(([, email]) => email))
      missing = [...this.#signedUp].filter((email) => !there.has(email))
      if (missing.length > 0) await sleep(200)
    } while (missing.length > 0 && performance.now() < end)
    const wrong: string[] = []
    const users = [...this.#users].values()
    const work = async (): Promise<void> => {
      for (const [id, state] of users) {
        const { status } = await target.ask(`GET /users/${id}`, { token, agent: this.#agent })
        if (status !== (state === 'there' ? 200 : 410)) wrong.push(`${id} (${status})`)
      }
    }
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, work))
    // What is gone stays so; it need not be asked for again and again.
    this.#users.clear()
    return [...missing, ...wrong]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    await this.#owned.disposeAsync()
  }
}
