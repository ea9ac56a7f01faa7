import { setTimeout as sleep } from 'node:timers/promises'
import { FEEDS, type Ledger } from '../ledger/ledger.ts'
import type { PersonState } from '../ledger/model.ts'
import { type Observed, type Person, tokenIdOf } from '../ledger/person.ts'
import type { Look, Store, StoredSubscription, StoredUser } from '../stores/store.ts'

/** Milliseconds. */
const LONGEST_WAIT = 30_000

/** Compares the store with the ledger. Only while no request is open. */
export class Examination {
  readonly #ledger: Ledger
  readonly #store: Store
  /** The greatest `seq` that was seen. */
  #seen = 0
  readonly #placeOf = new Map<number, string>()

  constructor(ledger: Ledger, store: Store) {
    this.#ledger = ledger
    this.#store = store
  }

  /** Waits until what was accepted is carried out, which the service does by itself. */
  async #carriedOut(): Promise<void> {
    const deadline = performance.now() + LONGEST_WAIT
    while ((await this.#store.waitingRequests()) > 0) {
      if (performance.now() > deadline) return this.#ledger.report('I1', 'accepted sign-ups are not carried out')
      await sleep(20)
    }
  }

  /** Persons with requests since the last examination, and new rows. */
  async ofTouched(): Promise<void> {
    await this.#carriedOut()
    const persons = [...this.#ledger.touched]
    this.#ledger.touched.clear()
    const subscriptions = persons.flatMap(({ id, otherIds }) => [...(id === undefined ? [] : [id]), ...otherIds])
    const look = await this.#store.look({
      subscriptions,
      after: this.#seen,
      users: persons.map(({ userId }) => userId),
    })
    this.#compare(persons, look)
  }

  /** All persons and all rows. */
  async ofAll(): Promise<void> {
    await this.#carriedOut()
    this.#ledger.touched.clear()
    const persons = [...this.#ledger.persons.values()]
    const look = await this.#store.look({ subscriptions: [], after: 0, users: persons.map(({ userId }) => userId) })
    this.#compare(persons, look)
    for (const line of await this.#store.damage()) this.#ledger.report('I7', `the store is damaged: ${line}`)
  }

  #compare(persons: readonly Person[], look: Look): void {
    const { subscriptions, users, tombstones, revoked } = look
    const places = new Map<string, StoredSubscription>()
    for (const row of subscriptions) {
      this.#judgeRow(row)
      const place = placeOf(row)
      if (places.has(place)) this.#ledger.report('I6', `${place} is in the store twice`)
      places.set(place, row)
    }
    this.#seen = subscriptions.reduce((most, { seq }) => Math.max(most, seq), this.#seen)
    const usersById = new Map(users.map((user) => [user.id, user]))
    for (const person of persons) {
      const user = usersById.get(person.userId)
      if (user && user.email !== person.email) this.#ledger.report('I2', `${user.id} has the address ${user.email}`)
      const seen: Observed = {
        subscription: places.get(placeOf(person)),
        user: userIn(user, tombstones.has(person.userId)),
        revoked: revoked.has(tokenIdOf(person.userId)),
        more: moreOf(person, places, look),
      }
      if (!person.observed(seen)) this.#judge(person, seen)
    }
  }

  #judgeRow({ id, email, feed }: StoredSubscription): void {
    const person = this.#ledger.personAt(email)
    if (person === undefined) this.#ledger.report('I2', `${email} is subscribed and never asked for it`)
    else if (email !== person.email || feed !== FEEDS[0]) person.otherIds.add(id)
    else if (person.id !== undefined && person.id !== id)
      this.#ledger.report('I2', `the id of ${email} was answered ${person.id} and is ${id} in the store`)
    else person.id = id
    const place = placeOf({ email, feed })
    const before = this.#placeOf.get(id)
    if (before !== undefined && before !== place) this.#ledger.report('I2', `${id} was ${before} and is ${place}`)
    this.#placeOf.set(id, place)
    if (!FEEDS.some((name) => name === feed)) this.#ledger.report('I2', `${email} is in the feed ${feed}`)
  }

  #judge(person: Person, seen: Observed): void {
    const { possible } = person
    const every = (holds: (state: PersonState) => boolean): boolean => possible.every(holds)
    const said = `${person.email} must be ${JSON.stringify(possible)} and is ${JSON.stringify(seen)}`
    const { subscription, user } = seen
    if (user !== 'deleted' && every((state) => state.user === 'deleted')) this.#ledger.report('I5', said)
    else if (subscription && every((state) => state.subscription === undefined))
      this.#ledger.report(every(({ begun }) => begun > 0) ? 'I5' : 'I2', said)
    else if (subscription?.status === 'confirmed' && every((state) => state.subscription?.status !== 'confirmed'))
      this.#ledger.report('I8', said)
    else this.#ledger.report('I1', said)
  }
}

const placeOf = ({ email, feed = FEEDS[0] }: { readonly email: string; readonly feed?: string }): string =>
  `${email} in ${feed}`

const moreOf = (person: Person, places: ReadonlyMap<string, StoredSubscription>, look: Look): Observed['more'] => {
  const { email, newEmail, id = 0 } = person
  const moved = places.get(placeOf({ email: newEmail }))
  const delivery = (look.delivery.get(id) ?? 'ok') as PersonState['delivery']
  return {
    second: places.get(placeOf({ email, feed: FEEDS[1] })),
    moved,
    movesRecorded: [id, moved?.id ?? 0].filter((one) => look.moved.has(one)).length,
    delivery: person.hasBounces ? delivery : undefined,
  }
}

const userIn = (user: StoredUser | undefined, deleted: boolean): PersonState['user'] =>
  user ? { name: user.name, suspended: user.suspended_at !== null } : deleted ? 'deleted' : 'none'
