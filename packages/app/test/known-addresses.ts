import { LinkTokens, type Subscription } from '@rollcall/core'
import { migrateSqlite } from '@rollcall/storage-sql/sqlite'
import { afterAll, beforeAll } from 'vitest'
import { type Composition, openComposition } from '../src/composition.ts'
import { readConfig } from '../src/config.ts'
import { existingLinkKeys } from '../src/link-keys.ts'
import { silentLog } from '../src/log.ts'
import { createNodeDigests } from '../src/platform/node-digests.ts'
import { makeDataDir } from '../src/secret.ts'
import { type Rounds, shuffle } from './distributions.ts'
import { Probe } from './probe.ts'
import { Home } from './running-service.ts'

/** How many addresses there are whose state a question does not change. */
const POOL = 20

const source = { via: 'form', clientAddress: undefined, userAgent: undefined } as const

/** Makes addresses of every state that can be. All have the same length. */
class Addresses {
  readonly #composition: Composition
  readonly #tokens: LinkTokens
  #count = 0

  constructor(composition: Composition, tokens: LinkTokens) {
    this.#composition = composition
    this.#tokens = tokens
  }

  unknown(): string {
    return `reader${String(++this.#count).padStart(6, '0')}@example.com`
  }

  async pending(): Promise<string> {
    return (await this.#subscribe()).email
  }

  async confirmed(): Promise<string> {
    const subscription = await this.#subscribe()
    await this.#confirm(subscription)
    return subscription.email
  }

  async ended(): Promise<string> {
    const subscription = await this.#subscribe()
    await this.#confirm(subscription)
    const token = this.#tokens.sign('unsubscribe', subscription)
    await this.#composition.useCases.endSubscription.execute({ token, source })
    return subscription.email
  }

  async refused(): Promise<string> {
    const subscription = await this.#subscribe()
    const token = this.#tokens.sign('refuse', subscription)
    await this.#composition.useCases.refuseSubscription.execute({ token, source })
    return subscription.email
  }

  /** Erased, with 'never again'. */
  async suppressed(): Promise<string> {
    const { id, email } = await this.#subscribe()
    const token = this.#tokens.signPreferences(id, Date.now() + 3_600_000)
    await this.#composition.useCases.changePreferences.execute({ token, action: 'erase', neverAgain: true, source })
    return email
  }

  async #subscribe(): Promise<Subscription> {
    const { useCases, readers } = this.#composition
    const { id } = await useCases.subscribe.execute({ email: this.unknown(), source })
    const subscription = await readers.subscriptions.find(id)
    if (subscription === undefined) throw new Error('what was just subscribed is not there')
    return subscription
  }

  async #confirm(subscription: Subscription): Promise<void> {
    const token = this.#tokens.sign('confirm', subscription)
    await this.#composition.useCases.confirmSubscription.execute({ token, source })
  }
}

/** Gives the fields of one question of each class. */
type Classes = ReadonlyMap<string, () => Record<string, string>>

const many = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, () => make()))

/** One after another, over and over. */
const around = (addresses: readonly string[]): (() => string) => {
  let next = 0
  return () => addresses[next++ % addresses.length] ?? ''
}

interface Fixture {
  readonly probe: Probe
  readonly classes: ReadonlyMap<string, Classes>
}

/**
 * A service whose database has addresses of every state, for the tests of one `describe`.
 * @param rounds how often each class will be asked about
 */
export const withKnownAddresses = (rounds: number, serve: (home: Home) => Promise<unknown>): (() => Fixture) => {
  let home: Home
  let fixture: Fixture | undefined
  beforeAll(async () => {
    home = await Home.make()
    const classes = await openClasses(home, rounds)
    await serve(home)
    fixture = { classes, probe: await Probe.open(home.port) }
  })
  afterAll(async () => {
    fixture?.probe[Symbol.dispose]()
    await home[Symbol.asyncDispose]()
  })
  return () => {
    if (fixture === undefined) throw new Error('the service is there in a test only')
    return fixture
  }
}

const openClasses = async (home: Home, rounds: number): Promise<ReadonlyMap<string, Classes>> => {
  const config = readConfig(home.environment())
  makeDataDir(config.DATA_DIR)
  await migrateSqlite(config.databaseFile)
  const composition = await openComposition(config, silentLog)
  const linkKeys = await existingLinkKeys(config)
  if (linkKeys === undefined) throw new Error('the service has no link keys')
  const tokens = new LinkTokens({ linkKeys, digests: createNodeDigests('') })
  const addresses = new Addresses(composition, tokens)
  const unknown = (more = {}) => ({ email: addresses.unknown(), ...more })
  const pool = async (make: () => Promise<string>) => {
    const next = around(await many(Math.min(POOL, rounds), make))
    return () => ({ email: next() })
  }
  const pools = {
    pending: await pool(() => addresses.pending()),
    confirmed: await pool(() => addresses.confirmed()),
    refused: await pool(() => addresses.refused()),
    suppressed: await pool(() => addresses.suppressed()),
  }
  // A question makes these pending again: each is asked about once.
  const ended = around(await many(rounds, () => addresses.ended()))
  // So that the caps hold, as they do whenever somebody asks again and again.
  for (let claimed = 1; claimed > 0; ) ({ claimed } = await composition.useCases.deliverOutbox.execute({ limit: 100 }))
  await composition.close()
  const honeypot = () => unknown({ website: 'x' })
  return new Map([
    ['/subscribe', new Map(Object.entries({ new: unknown, ended: () => ({ email: ended() }), honeypot, ...pools }))],
    ['/preferences', new Map(Object.entries({ unknown, honeypot, ...pools }))],
  ])
}

/** What is left of an answer without what was submitted and what differs from second to second. */
const shapeOf = (text: string, email: string): string =>
  text
    .replaceAll(email, '<email>')
    .replace(/"id":\d+/, '"id":<id>')
    .replace(/^Date: .*$/m, 'Date: <date>')
    .replace(/^Content-Length: .*$/m, 'Content-Length: <length>')

/** Asks about one address of every class in each round, in any order. */
export const measure = async (
  probe: Probe,
  order: {
    readonly path: string
    readonly classes: Classes | undefined
    readonly rounds: number
    readonly random: () => number
  },
) => {
  const { path, classes = new Map(), rounds, random } = order
  const times = new Map([...classes.keys()].map((name): [string, number[]] => [name, []]))
  const shapes = new Map<string, Set<string>>()
  for (let round = 0; round < rounds; round++)
    for (const name of shuffle([...classes.keys()], random)) {
      const fields = classes.get(name)?.() ?? {}
      const { text, milliseconds } = await probe.post(path, fields)
      times.get(name)?.push(milliseconds)
      shapes.set(name, (shapes.get(name) ?? new Set()).add(shapeOf(text, fields.email ?? '')))
    }
  return { times: times as Rounds, shapes }
}
