import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BackgroundLoad } from '../shared/background-load.ts'
import { Mails } from '../shared/mails.ts'
import type { Row } from '../shared/report.ts'
import { Target } from '../shared/target.ts'
import { waitUntil } from '../shared/wait-until.ts'
import { formRequest, KeptConnection, request } from '../shared/wire.ts'
import type { Attack, AttackContext } from './attacks.ts'
import { mostPooledAuc, POOLED, placesOf, pooledAuc } from './auc.ts'

/** What may be known of an address. */
const STATES = ['new', 'suppressed', 'confirmed', 'pending', 'capped'] as const
type State = (typeof STATES)[number]

/** Load beside the attacker's: one that can be kept up without sign-ups being refused. */
const LOADS: readonly { readonly name: string; readonly connections: number }[] = [
  { name: 'at rest', connections: 0 },
  { name: 'beside 46 busy connections', connections: 46 },
]
const MOST_A_SECOND = 1_000
/** Milliseconds from one sign-up to the next: 2,400 addresses of each state take less time than a cap of ten minutes. */
const APART = [25, 60] as const
const SPANS = [
  [0, 50],
  [50, 150],
  [150, 300],
  [300, 500],
] as const
const LAST = 500
const WARM_UP = 3_000
/** Later than this, a mail says nothing of the sign-up before. */
const LONGEST_MAIL = 5_000
const SLOWEST_MAIL = 20
const PAUSE = 1
const WATCHER = 'watcher@attacker.example'

const addressOf = (state: State, n: number): string => `${state}-${n}@victim.example`
const signUp = (email: string): Buffer => formRequest('/subscribe', { email })

/** Imports what is known of so many addresses; the service does not run yet. New ones need none; capped ones come later. */
const importStates = async (target: Target, count: number): Promise<void> => {
  const take = async (what: string, state: State, more: object): Promise<void> => {
    const rows = Array.from({ length: count }, (_, n) => JSON.stringify({ email: addressOf(state, n), ...more }))
    const file = path.join(target.home.folder, `${state}.ndjson`)
    await writeFile(file, `${rows.join('\n')}\n`)
    await target.succeed(what, 'import', file)
  }
  await take('suppression', 'suppressed', { cause: 'unsubscribed' })
  await take('subscription', 'pending', {})
  await take('subscription', 'confirmed', { confirmed_at: '2026-01-31', consent: 'asked on paper' })
}

const signUps = (port: number) => ({
  ...{ url: `http://127.0.0.1:${port}/subscribe`, method: 'POST' as const, overallRate: MOST_A_SECOND },
  ...{ idReplacement: true, body: 'email=[<id>]%40load.example' },
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
})

/** Connections of which each does one thing at a time. */
class Connections {
  readonly #port: number
  readonly #free: KeptConnection[] = []

  constructor(port: number) {
    this.#port = port
  }

  /** Milliseconds. @throws {Error} it was not answered 200 */
  async ask(bytes: Buffer): Promise<number> {
    const connection = this.#free.pop() ?? new KeptConnection(this.#port)
    const { status, milliseconds } = await connection.ask(bytes)
    if (status !== 200) throw new Error(`answered ${status}`)
    this.#free.push(connection)
    return milliseconds
  }

  close(): void {
    for (const connection of this.#free) connection.close()
  }
}

/** Asks the same again and again, and remembers when it waited for how long. */
class Watcher {
  readonly #looks: { readonly began: number; readonly ended: number }[] = []
  readonly #running: Promise<void>
  #isStopped = false

  constructor(connections: Connections, bytes: Buffer) {
    const run = async (): Promise<void> => {
      for (; !this.#isStopped; await sleep(PAUSE)) {
        const began = performance.now()
        const milliseconds = await connections.ask(bytes)
        this.#looks.push({ began, ended: began + milliseconds })
      }
    }
    this.#running = run()
  }

  /** Resolves when the last answer has come. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** The longest wait that touches this span, in milliseconds. */
  longest(from: number, to: number): number {
    const looks = this.#looks
    let [low, high] = [0, looks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((looks[middle]?.ended ?? 0) < from) low = middle + 1
      else high = middle
    }
    let most = 0
    for (let look = looks[low]; look !== undefined && look.began < to; look = looks[++low])
      most = Math.max(most, look.ended - look.began)
    return most
  }
}

/** What was seen behind one sign-up, by the name of the sign. */
interface Observation {
  readonly state: State
  readonly signs: Readonly<Record<string, number>>
}

interface Scene {
  readonly target: Target
  readonly mails: Mails
  /** Of the attacker's own subscription, which waits to be confirmed. */
  readonly link: string
  readonly isAtRest: boolean
}

/** Signs up addresses of all states in any order, and looks at everything that shows meanwhile. */
const observe = async (
  { target, mails, link, isAtRest }: Scene,
  first: number,
  count: number,
): Promise<Observation[]> => {
  const connections = new Connections(target.port)
  const order = STATES.flatMap((state) => Array.from({ length: count }, (_, n) => ({ state, n: first + n })))
    .map((one) => ({ ...one, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
  const readiness = new Watcher(connections, request('GET /readyz'))
  const page = new Watcher(connections, request(`GET /confirm/${link}`, ['Accept: text/html']))
  const seen: { state: State; own: string; began: number; signs: Record<string, number> }[] = []
  const one = async (state: State, n: number): Promise<void> => {
    const own = `own-${state}-${n}@attacker.example`
    const began = performance.now()
    const answer = await connections.ask(signUp(addressOf(state, n)))
    const [next, mine] = await Promise.all([connections.ask(request('GET /livez')), connections.ask(signUp(own))])
    seen.push({ state, own, began, signs: { answer, 'the next request': next, 'an own sign-up': mine } })
  }
  const all: Promise<void>[] = []
  for (const { state, n } of order) {
    all.push(one(state, n))
    await sleep(APART[0] + Math.random() * (APART[1] - APART[0]))
  }
  await Promise.all(all)
  await sleep(LAST)
  await Promise.all([readiness.stop(), page.stop()])
  // Under load mails come long after.
  if (isAtRest) await sleep(LONGEST_MAIL)
  connections.close()
  return seen.map(({ state, own, began, signs }) => {
    const mail = mails.of(own)[0]?.acceptedAt ?? Number.POSITIVE_INFINITY
    const watched = SPANS.flatMap(([from, to]) =>
      Object.entries({ '/readyz': readiness, 'a link page': page }).map(([name, watcher]) => [
        `${name} ${from} to ${to} ms behind`,
        watcher.longest(began + from, began + to),
      ]),
    )
    return {
      state,
      signs: { ...signs, ...(isAtRest ? { 'an own mail': mail - began } : {}), ...Object.fromEntries(watched) },
    }
  })
}

/** For each two states, the sign that tells them apart best. `observations` are in order of time. */
const judged = (observations: readonly Observation[], load: string): Row[] => {
  const names = Object.keys(observations[0]?.signs ?? {})
  const places = new Map(
    names.map((name) => [name, placesOf(observations.map(({ signs }) => signs[name] ?? Number.NaN))]),
  )
  const of = (state: State, sign: string): number[] =>
    (places.get(sign) ?? []).filter((_, n) => observations[n]?.state === state)
  const pairs = STATES.flatMap((one, n) => STATES.slice(n + 1).map((other) => [one, other] as const))
  return pairs.map(([one, other]) => {
    const found = names
      .map((name) => ({ name, value: pooledAuc(of(one, name), of(other, name)) }))
      .sort((some, others) => others.value - some.value)
    const figure = `AUC of ${POOLED} observations, ${one} or ${other}, ${load}`
    const note = found.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', ')
    return { figure, found: found[0]?.value ?? Number.NaN, bound: mostPooledAuc(of(one, names[0] ?? '').length), note }
  })
}

/**
 * Everything that a stranger can see of the half second behind a sign-up of another's address: what is decided then must
 * not show. Twenty addresses of one state stand for twenty looks at one, which would change its state.
 */
export const watching: Attack = {
  name: 'watching',
  about: 'what a stranger can see of whether an address is known',
  stores: ['sqlite', 'postgres'],
  run: async (context: AttackContext): Promise<readonly Row[]> => {
    const count = Math.max(1, Math.floor(context.samples / POOLED)) * POOLED
    await using mails = await Mails.open()
    await using target = await Target.make(context, { SMTP_URL: mails.url })
    await target.succeed('migrate')
    await importStates(target, count * LOADS.length)
    await target.start()
    await target.signUp(WATCHER)
    const link = await mails.comingToken(WATCHER, 'confirm')
    const rows: Row[] = []
    for (const [turn, { name, connections }] of LOADS.entries()) {
      const first = turn * count
      const capped = Array.from({ length: count }, (_, n) => addressOf('capped', first + n))
      const own = new Connections(target.port)
      for (const email of capped) await own.ask(signUp(email))
      own.close()
      // They have had a mail just now: for ten minutes no other goes there.
      const within = 60_000 + count * SLOWEST_MAIL
      await waitUntil(
        () => capped.every((email) => mails.of(email).length > 0),
        'mails to what is to be capped',
        within,
      )
      const isAtRest = connections === 0
      const load = isAtRest ? undefined : new BackgroundLoad({ ...signUps(target.port), connections })
      await sleep(WARM_UP)
      const began = performance.now()
      rows.push(...judged(await observe({ target, mails, link, isAtRest }, first, count), name))
      const others = await load?.stop()
      if (others !== undefined) {
        const found = Math.round((others * 1_000) / (performance.now() - began))
        rows.push({ figure: `other sign-ups a second, ${name}`, found, bound: undefined })
      }
    }
    return rows
  },
}
