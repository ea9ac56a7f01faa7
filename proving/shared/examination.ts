import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Invariant } from './finding.ts'
import { FEEDS, type Ledger } from './ledger.ts'
import { type Look, list, lookAt, lookAtAll, type SubscriptionSeen, userStateOf } from './look.ts'
import type { Observed, Person } from './person.ts'
import type { Store } from './store.ts'

/** Milliseconds within which what was accepted is carried out and shown; long, because a busy machine is slow. */
const SHOWN_WITHIN = 15_000
const PAUSE = 250

type Problem = readonly [invariant: Invariant, message: string]

/** Compares what the service shows with the ledger. Only while no request is open. */
export class Examination {
  readonly #ledger: Ledger
  readonly #client: Client
  readonly #store: Pick<Store, 'damage'>
  readonly #placeOf = new Map<number, string>()
  /** `type subject` of each event. */
  readonly #events = new Set<string>()
  #lastEvent = ''

  constructor(ledger: Ledger, client: Client, store: Pick<Store, 'damage'>) {
    this.#ledger = ledger
    this.#client = client
    this.#store = store
  }

  /** Persons with requests since the last examination. */
  async ofTouched(): Promise<void> {
    const persons = [...this.#ledger.touched]
    this.#ledger.touched.clear()
    await this.#settle(async () => this.#problemsOf(persons, await lookAt(this.#client, persons)))
  }

  /** Everything that is stored, what happened, and the files. */
  async ofAll(): Promise<void> {
    this.#ledger.touched.clear()
    const persons = [...this.#ledger.persons.values()]
    await this.#settle(async () => {
      const look = await lookAtAll(this.#client, persons)
      return [...this.#problemsOf(persons, look), ...this.#problemsOfAll(look), ...(await this.#missingEvents(look))]
    })
    for (const line of await this.#store.damage()) this.#ledger.report('I7', `the store is damaged: ${line}`)
  }

  /** A problem that goes away by itself is none: what was accepted is carried out behind its answer. */
  async #settle(look: () => Promise<readonly Problem[]>): Promise<void> {
    let problems = await look()
    const deadline = performance.now() + SHOWN_WITHIN
    for (; problems.length > 0 && performance.now() < deadline; problems = await look()) await sleep(PAUSE)
    for (const problem of problems) this.#ledger.report(...problem)
  }

  #problemsOf(persons: readonly Person[], { subscriptions, users, undeliverable }: Look): Problem[] {
    const places = new Map(subscriptions.map((one) => [placeOf(one), one]))
    return persons.flatMap((person): Problem[] => {
      const { email, userId, newEmail, id } = person
      const [subscription, second] = FEEDS.map((feed) => places.get(placeOf({ email, feed })))
      const moved = places.get(placeOf({ email: newEmail, feed: FEEDS[0] }))
      const user = users.get(userId)
      const consents = [subscription, moved].flatMap((one) => (one?.consent === undefined ? [] : [one.consent]))
      const seen: Observed = {
        ...{ subscription, second, moved },
        user: userStateOf(user),
        undeliverable: undeliverable.has(email),
        movesRecorded:
          consents.length === 0
            ? undefined
            : consents.filter((ledger) => ledger.some(({ deed }) => deed === 'moved')).length,
      }
      const problems: Problem[] = []
      if (typeof user === 'object' && user.email !== email)
        problems.push(['I2', `${userId} has the address ${user.email}`])
      if (subscription && id !== undefined && subscription.id !== id)
        problems.push(['I2', `the id of ${email} was answered ${id} and is ${subscription.id}`])
      if (!person.observed(seen)) problems.push([invariantOf(person, seen), saying(person, seen)])
      return problems
    })
  }

  /** What only a look at everything shows: strangers, and things that are there twice. */
  #problemsOfAll({ subscriptions, users }: Look): Problem[] {
    const problems: Problem[] = []
    const places = new Set<string>()
    for (const { id, email, feed } of subscriptions) {
      const place = placeOf({ email, feed })
      if (this.#ledger.personAt(email) === undefined)
        problems.push(['I2', `${email} is subscribed and never asked for it`])
      if (!FEEDS.some((name) => name === feed)) problems.push(['I2', `${email} is in the feed ${feed}`])
      if (places.has(place)) problems.push(['I6', `${place} is there twice`])
      places.add(place)
      const before = this.#placeOf.get(id)
      if (before !== undefined && before !== place) problems.push(['I2', `${id} was ${before} and is ${place}`])
      this.#placeOf.set(id, place)
    }
    for (const user of users.values())
      if (user !== 'deleted' && this.#ledger.personAt(user.email) === undefined)
        problems.push(['I2', `the user ${user.id} is there and was never put`])
    return problems
  }

  /** Each change and its event are one commit. */
  async #missingEvents({ subscriptions, users }: Look): Promise<Problem[]> {
    const news = await list<{ type: string; subject: string; sequence: string }>(
      ...([this.#client, '/events', 'after', this.#lastEvent] as const),
    )
    for (const { type, subject } of news) this.#events.add(`${type} ${subject}`)
    this.#lastEvent = news.at(-1)?.sequence ?? this.#lastEvent
    const owed = [
      ...[...users].flatMap(([id, user]) => [
        `user.created ${id}`,
        ...(user === 'deleted' ? [`user.deleted ${id}`] : []),
      ]),
      ...subscriptions
        .filter(({ consent }) => consent?.[0]?.deed === 'requested')
        .map(({ id }) => `subscription.pending ${id}`),
      ...subscriptions
        .filter(({ status }) => status !== 'pending')
        .map(({ id, status }) => `subscription.${status} ${id}`),
    ]
    return owed
      .filter((event) => !this.#events.has(event))
      .map((event) => ['I1', `there is no event ${event}`] as const)
  }
}

const placeOf = ({ email, feed }: Pick<SubscriptionSeen, 'email' | 'feed'>): string => `${email} in ${feed}`

const saying = (person: Person, seen: Observed): string =>
  `${person.email} must be ${JSON.stringify(person.possible)} and is ${JSON.stringify(seen)}`

const invariantOf = (person: Person, { subscription, user }: Observed): Invariant => {
  if (user !== 'deleted' && person.mustBe((state) => state.user === 'deleted')) return 'I5'
  if (subscription && person.mustBe((state) => state.subscription === undefined))
    return person.mustBe(({ begun }) => begun > 0) ? 'I5' : 'I2'
  if (subscription?.status === 'confirmed' && person.mustBe((state) => state.subscription?.status !== 'confirmed'))
    return 'I8'
  return 'I1'
}
