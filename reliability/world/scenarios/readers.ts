import { setTimeout as sleep } from 'node:timers/promises'
import type { Fixture } from '../../../proving/shared/fixture.ts'
import type { Random } from '../../../proving/shared/random.ts'
import { ask, type Got } from '../ask.ts'

/** Who reads. */
interface Reader {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
}

interface Ports {
  readonly service: number
  readonly front: number
}

const PERSONS = 2
const AT_ONCE = 6
const LINKS = ['confirm', 'refuse', 'unsubscribe'] as const
const LANGUAGES = ['en', 'de']
const ACCEPTS = ['application/json', 'text/html']

/** Many kinds of callers, who read the same addresses behind caches. Each must get what the service itself gives it. */
export class Readers {
  readonly counts = { read: 0, cached: 0 }
  readonly #ports: Ports
  readonly #readers: readonly Reader[]
  readonly #paths: readonly string[]

  private constructor(ports: Ports, readers: readonly Reader[], paths: readonly string[]) {
    this.#ports = ports
    this.#readers = readers
    this.#paths = paths
  }

  static async prepare(fixture: Fixture, ports: Ports): Promise<Readers> {
    const persons: Known[] = []
    for (let n = 0; n < PERSONS; n++) persons.push(await addPerson(fixture))
    const tokens: Record<string, string | undefined> = {
      stranger: undefined,
      forged: `${fixture.client.token.slice(0, -8)}AAAAAAAA`,
      admin: fixture.client.token,
      auditor: await fixture.token('reader', 'auditor'),
    }
    // What their tokens say of roles does not count, as they are stored users.
    for (const { userId } of persons) tokens[userId] = await fixture.token(userId, 'auditor')
    const readers = Object.entries(tokens).flatMap(([name, token]) =>
      LANGUAGES.flatMap((language) =>
        ACCEPTS.map((accept) => ({
          name: `${name} (${language}, ${accept})`,
          headers: {
            Accept: accept,
            'Accept-Language': language,
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          },
        })),
      ),
    )
    const paths = ['/', '/subscribe', '/preferences', '/openapi.json', '/.well-known/jwks.json', '/feeds/default']
    return new Readers(ports, readers, [...paths, ...persons.flatMap((person) => person.paths)])
  }

  /** The readers ask for the paths, in random order, until the signal. What differs from the service's own answers. */
  async read(random: Random, signal: AbortSignal): Promise<readonly string[]> {
    const readings = this.#paths.flatMap((path) => this.#readers.map((reader) => ({ path, reader })))
    const differences: string[] = []
    const readOn = async (): Promise<void> => {
      for (const { path, reader } of random.shuffled(readings)) {
        if (signal.aborted || differences.length > 0) return
        const difference = await this.#compare(path, reader)
        if (difference !== undefined) differences.push(difference)
      }
    }
    while (!signal.aborted && differences.length === 0) await Promise.all(Array.from({ length: AT_ONCE }, readOn))
    return differences
  }

  async #compare(path: string, reader: Reader): Promise<string | undefined> {
    const direct = await ask(this.#ports.service, path, reader)
    const fronted = await ask(this.#ports.front, path, reader)
    this.counts.read++
    if (fronted.headers['x-cache-status'] === 'HIT' || Number(fronted.headers.age ?? 0) > 0) this.counts.cached++
    if (isSame(direct, fronted)) return undefined
    const from = firstDifference(withoutMarks(direct.body), withoutMarks(fronted.body))
    const [wanted, got] = [direct, fronted].map(({ status, headers, body }) =>
      JSON.stringify([status, headers['content-type'], headers['content-language'], body.slice(from, from + SHOWN)]),
    )
    return `${reader.name} reads ${path}: ${got} instead of ${wanted}`
  }
}

interface Known {
  readonly userId: string
  /** Where something about this person is read. */
  readonly paths: readonly string[]
}

/** A person with a user and a subscription that waits for its confirmation. */
const addPerson = async (fixture: Fixture): Promise<Known> => {
  const { ledger, client } = fixture
  const person = ledger.newPerson()
  for (const kind of ['put-user', 'subscribe'] as const) {
    const action = { kind, name: person.userId }
    ledger.sent(person, action)
    ledger.answered(person, action, await client.ask(action, person, ''))
  }
  while (ledger.mailbox.of(person.email).length === 0) await sleep(20)
  const user = `/users/${person.userId}`
  const links = LINKS.map((link) => `/${link}/${ledger.mailbox.token(person.email, link)}`)
  return { userId: person.userId, paths: [user, ...links] }
}

const SHOWN = 80

/** A little before it, so that one sees what it is about. */
const firstDifference = (one: string, other: string): number => {
  let place = 0
  while (place < one.length && one[place] === other[place]) place++
  return Math.max(0, place - SHOWN / 4)
}

/** Without what is of one answer only: the id of a request, and the signed time of a form. */
const withoutMarks = (body: string): string => body.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{13}\.[0-9a-f]{32}/g, '')

const isSame = (one: Got, other: Got): boolean =>
  one.status === other.status &&
  one.headers['content-type'] === other.headers['content-type'] &&
  one.headers['content-language'] === other.headers['content-language'] &&
  withoutMarks(one.body) === withoutMarks(other.body)
