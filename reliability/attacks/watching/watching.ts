import { setTimeout as sleep } from 'node:timers/promises'
import { Mailbox } from '../../../proving/shared/mailbox.ts'
import { Random } from '../../../proving/shared/random.ts'
import { Relay } from '../../../proving/shared/relay.ts'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { opened, request } from '../raw.ts'
import { Target } from '../target.ts'
import { BackgroundLoad } from '../timing/background-load.ts'
import { KeptConnection } from '../timing/kept-connection.ts'
import { addressOf } from '../timing/known-addresses.ts'
import { waitUntil } from '../wait-until.ts'
import { mostPooledAuc, POOLED, placesOf, pooledAuc } from './pooled.ts'
import { importStates, makeCapped, STATES, type State, signUp } from './states.ts'
import { Watcher } from './watcher.ts'

/** What was seen behind one sign-up, by the name of the sign. */
interface Observation {
  readonly state: State
  readonly signs: Readonly<Record<string, number>>
}

interface Load {
  readonly name: string
  readonly connections: number
}

const LOADS: readonly Load[] = [
  { name: 'at rest', connections: 0 },
  { name: 'beside 46 busy connections', connections: 46 },
]
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
/** What waits to be carried out must not pile up until sign-ups are refused: the load is one that can be kept up. */
const PAUSE = 25
const WATCHER = 'watcher@attacker.example'

interface Scene {
  readonly target: Target
  readonly mailbox: Mailbox
  /** Of the attacker's own subscription, which waits to be confirmed. */
  readonly link: string
}

/** Connections of which each does one thing at a time. */
class Connections {
  readonly #port: number
  readonly #free: KeptConnection[] = []

  constructor(port: number) {
    this.#port = port
  }

  async use<Result>(work: (connection: KeptConnection) => Promise<Result>): Promise<Result> {
    const connection = this.#free.pop() ?? new KeptConnection(await opened(this.#port))
    const result = await work(connection)
    this.#free.push(connection)
    return result
  }

  close(): void {
    for (const connection of this.#free) connection.close()
  }
}

const asked = async (connection: KeptConnection, bytes: Buffer): Promise<number> => {
  const { status, milliseconds } = await connection.ask(bytes)
  if (status !== 200) throw new Error(`answered ${status}`)
  return milliseconds
}

/** Signs up addresses of all states in any order, and looks at everything that shows meanwhile. */
const observe = async (scene: Scene, load: Load, first: number, count: number): Promise<Observation[]> => {
  const { target, mailbox, link } = scene
  const random = new Random(first + 1)
  const connections = new Connections(target.port)
  const order = STATES.flatMap((state) => Array.from({ length: count }, (_, n) => ({ state, n: first + n })))
    .map((one) => ({ ...one, place: random.fraction() }))
    .sort((one, other) => one.place - other.place)
  const readiness = await Watcher.start(target.port, request('GET /readyz'))
  const page = await Watcher.start(target.port, request(`GET /confirm/${link}`, ['Accept: text/html']))
  const seen: { state: State; own: string; began: number; signs: Record<string, number> }[] = []
  const one = async (state: State, n: number): Promise<void> => {
    const own = `own-${load.connections}-${state}-${n}@attacker.example`
    const began = performance.now()
    await connections.use(async (connection) => {
      const answer = await asked(connection, signUp(addressOf(state, n)))
      const [next, mine] = await Promise.all([
        asked(connection, request('GET /livez')),
        connections.use((other) => asked(other, signUp(own))),
      ])
      seen.push({ state, own, began, signs: { answer, 'the next request': next, 'an own sign-up': mine } })
    })
  }
  const all: Promise<void>[] = []
  for (const { state, n } of order) {
    all.push(one(state, n))
    await sleep(random.between(...APART))
  }
  await Promise.all(all)
  await sleep(LAST)
  await readiness[Symbol.asyncDispose]()
  await page[Symbol.asyncDispose]()
  // Under load mails come long after.
  if (load.connections === 0) await sleep(LONGEST_MAIL)
  connections.close()
  return seen.map(({ state, own, began, signs }) => {
    const mail = mailbox.of(own)[0]?.acceptedAt ?? Number.POSITIVE_INFINITY
    const watched = SPANS.flatMap(([from, to]) =>
      Object.entries({ '/readyz': readiness, 'a link page': page }).map(([name, watcher]) => [
        `${name} ${from} to ${to} ms behind`,
        watcher.longest(began + from, began + to),
      ]),
    )
    const mails = load.connections === 0 ? { 'an own mail': mail - began } : {}
    return { state, signs: { ...signs, ...mails, ...Object.fromEntries(watched) } }
  })
}

/** For each two states, the sign that tells them apart best. `observations` are in order of time. */
const figuresOf = (load: Load, observations: readonly Observation[], count: number): Figure[] => {
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
    return {
      ...{
        name: `AUC of ${POOLED} observations, ${one} or ${other}, ${load.name}`,
        figure: found[0]?.value ?? Number.NaN,
      },
      ...{
        bound: mostPooledAuc(count),
        unit: '',
        note: found.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', '),
      },
    }
  })
}

/**
 * Everything that a stranger can see of the half second behind a sign-up of another's address: what is decided then must
 * not show. Twenty addresses of one state stand for twenty looks at one, which would change its state.
 */
export const watching: Attack = {
  name: 'watching',
  stores: ['sqlite', 'postgres'],
  run: async (context: AttackContext) => {
    const { samples, log } = context
    const count = Math.max(1, Math.floor(samples / POOLED)) * POOLED
    const mailbox = new Mailbox()
    await using relay = await Relay.open((mail) => mailbox.add(mail))
    await using target = await Target.make(context, { SMTP_URL: relay.url })
    await target.succeed('migrate')
    await importStates(target, count * LOADS.length)
    await target.start()
    await new Connections(target.port).use((connection) => asked(connection, signUp(WATCHER)))
    await waitUntil(() => mailbox.token(WATCHER, 'confirm') !== undefined, "a mail of the attacker's own")
    const scene = { target, mailbox, link: mailbox.token(WATCHER, 'confirm') ?? '' }
    const figures: Figure[] = []
    for (const [turn, load] of LOADS.entries()) {
      log(`  ${load.name}: ${count} addresses of each state`)
      const first = turn * count
      await makeCapped(target, mailbox, first, count)
      await using others = new BackgroundLoad({ ...load, port: target.port, pause: PAUSE })
      await target.calm(WARM_UP)
      const [before, began] = [await others.count, performance.now()]
      figures.push(...figuresOf(load, await observe(scene, load, first, count), count))
      const rate = ((await others.count) - before) / ((performance.now() - began) / 1_000)
      if (load.connections === 0) continue
      if (rate === 0) throw new Error('there was no load')
      figures.push({
        name: `other sign-ups a second, ${load.name}`,
        figure: Math.round(rate),
        bound: undefined,
        unit: '',
      })
    }
    return figures
  },
}
