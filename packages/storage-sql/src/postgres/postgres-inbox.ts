import { type FeedReader, type NewRequest, type RequestInbox, type SolvedChallenge, Unavailable } from '@rollcall/core'
import { NEW_REQUEST, newRequestValues, SIGN_UP_REQUEST } from '../tables/requests.ts'
import { answerTo } from './answer.ts'
import { Batches } from './batches.ts'
import type { Connections } from './connections.ts'
import { FeedCache } from './feed-cache.ts'
import { asUnavailable, discreet, isContention, isSilence, isUnsent, leavesDoubt } from './postgres-error.ts'
import { warnedDuring } from './standby-warning.ts'
import {
  arraysOf,
  DURABLE,
  durably,
  type ListStatement,
  statement,
  storable,
  type Value,
  valueArrays,
} from './statement.ts'
import { POSTGRES_STATEMENTS } from './statement-channel.ts'

const COLUMNS = NEW_REQUEST.join(', ')
const GIVEN = arraysOf(SIGN_UP_REQUEST, NEW_REQUEST)
const APPEND = statement(durably(`INSERT INTO sign_up_request (${COLUMNS}) SELECT * FROM unnest(${GIVEN})`))
// Challenges in the same order for all, so that no two wait for each other. Always one row, so that the commit waits for
// the disk.
const [CHALLENGE, EXPIRES_AT] = [`$${NEW_REQUEST.length + 1}::text[]`, `$${NEW_REQUEST.length + 2}::bigint[]`]
const SPEND_AND_APPEND = statement(
  `WITH given AS MATERIALIZED (SELECT * FROM unnest(${GIVEN}, ${CHALLENGE}, ${EXPIRES_AT}) WITH ORDINALITY
      AS given (${COLUMNS}, challenge, expires_at, n)),
    spent AS (INSERT INTO spent_challenge (id, expires_at)
      SELECT challenge, expires_at FROM given WHERE challenge IS NOT NULL ORDER BY challenge
      ON CONFLICT DO NOTHING RETURNING id),
    added AS (INSERT INTO sign_up_request (${COLUMNS}) SELECT ${COLUMNS} FROM given
      WHERE challenge IS NULL OR challenge IN (SELECT id FROM spent) ORDER BY n)
    SELECT to_json(ARRAY(SELECT id FROM spent))::text, ${DURABLE}`,
)

const MOST_AT_ONCE = 1_000
const MOST_TRIES = 3

interface Waiting {
  readonly request: NewRequest
  readonly challenge: SolvedChallenge | undefined
}

/** Requests that come in one turn of the event loop are appended by one statement, which is a transaction by itself. */
export class PostgresInbox implements RequestInbox {
  readonly #connections: Connections
  readonly #feeds: FeedCache
  readonly #batches: Batches<Waiting, boolean>

  constructor(connections: Connections, feeds: Pick<FeedReader, 'find'>) {
    this.#connections = connections
    this.#feeds = new FeedCache((name) => feeds.find(name))
    this.#batches = new Batches({
      most: MOST_AT_ONCE,
      // While one is on its way to the disk, the other gathers.
      sends: 2,
      send: (given) => this.#send(given),
    })
  }

  feed(name: Parameters<RequestInbox['feed']>[0]): ReturnType<RequestInbox['feed']> {
    return this.#feeds.find(name)
  }

  /** To be called when this process has written a feed. */
  forgetFeeds(): void {
    this.#feeds.empty()
  }

  append(request: NewRequest, challenge: SolvedChallenge | undefined): Promise<boolean> {
    return this.#batches.give({ request, challenge })
  }

  /** Resolves when all that came before is answered; what comes later is `Unavailable`. */
  async close(): Promise<void> {
    await this.#batches.close()
  }

  async #send(given: readonly Waiting[]): Promise<readonly boolean[]> {
    const fresh = withoutRepeats(given)
    const spent = await this.#append([...fresh])
    return given.map((one) => fresh.has(one) && (one.challenge === undefined || spent.has(one.challenge.id)))
  }

  /** The challenges that were not spent before. */
  async #append(given: readonly Waiting[]): Promise<ReadonlySet<string>> {
    for (let tries = 1; ; tries++) {
      let sent = false
      try {
        return await this.#connections.lend((connection) => {
          sent = true
          return appendOn(connection, given)
        })
      } catch (error) {
        // There is no server: what waits for one would wait as long again.
        if (!sent || isSilence(error)) this.#batches.refuseWaiting(error)
        if (!sent || error instanceof Unavailable) throw error
        if ((isUnsent(error) || isContention(error)) && tries < MOST_TRIES) continue
        if (isUnsent(error) || !leavesDoubt(error)) throw asUnavailable(discreet(error))
        throw new Unavailable({ cause: error, unsure: true })
      }
    }
  }
}

/** Those whose challenge none before them has. */
const withoutRepeats = (given: readonly Waiting[]): ReadonlySet<Waiting> => {
  const seen = new Set<string>()
  return new Set(
    given.filter(({ challenge }) => {
      if (challenge === undefined) return true
      const isFresh = !seen.has(challenge.id)
      seen.add(challenge.id)
      return isFresh
    }),
  )
}

type Lent = Parameters<Parameters<Connections['lend']>[0]>[0]

const appendOn = async (connection: Lent, given: readonly Waiting[]): Promise<ReadonlySet<string>> => {
  const rows = given.map(({ request }) => newRequestValues(request))
  const values = valueArrays(NEW_REQUEST.length, rows)
  const ask = async (asked: ListStatement, ...all: Value[]) => {
    const { answer, warned } = await warnedDuring(connection, () => answerTo(connection, asked, storable(all)))
    POSTGRES_STATEMENTS.publish(asked.text)
    if (warned) throw new Unavailable({ cause: new Error('A commit returned before a standby had it.'), unsure: true })
    return answer
  }
  if (given.every(({ challenge }) => challenge === undefined)) {
    await ask(APPEND, ...values)
    return new Set()
  }
  const challenges = given.map(({ challenge }) => challenge?.id ?? null)
  const expiries = given.map(({ challenge }) => challenge?.expiresAt ?? null)
  const {
    rows: [row],
  } = await ask(SPEND_AND_APPEND, ...values, challenges, expiries)
  return new Set(JSON.parse(String(row?.[0])) as string[])
}
