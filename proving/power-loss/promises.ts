import { Ledger } from '../shared/ledger.ts'
import { isSignUp, Person } from '../shared/person.ts'
import type { Demand, Recording } from './recording.ts'

/** Everything that had been promised at one moment. */
export interface Promised {
  /** What the persons had been answered. */
  readonly ledger: Ledger
  /** Changes of users that were answered: each has a record in the audit trail. */
  readonly recorded: readonly Demand[]
  /** Whether the administrator's token had been printed, and the other one had been revoked. */
  readonly token: boolean
  readonly revoked: boolean
  /** Message-IDs of the mails that the relay had received. */
  readonly mailed: ReadonlySet<string>
}

/** Everything that was promised in a recording, and when. */
export class Promises {
  readonly #recording: Recording
  readonly #answers = new Map<string, { readonly place: number; readonly status: number }>()
  readonly #mailed: { readonly place: number; readonly messageId: string }[] = []
  readonly #byPerson: ReadonlyMap<string, Demand[]>
  #token = Number.POSITIVE_INFINITY
  /** No later than the answer to the first demand: it was revoked before. */
  readonly #revoked: number

  constructor(recording: Recording) {
    this.#recording = recording
    for (const [place, operation] of recording.operations.entries()) {
      const { kind } = operation
      if (kind === 'answered') this.#answers.set(operation.requestId, { place, status: operation.status })
      if (kind === 'mailed') this.#mailed.push({ place, messageId: operation.messageId })
      if (kind === 'printed' && operation.text === recording.token) this.#token = place
    }
    const answers = recording.demands.map(({ requestId }) => this.#answers.get(requestId)?.place)
    this.#revoked = Math.min(...answers.filter((place) => place !== undefined))
    this.#byPerson = Map.groupBy(recording.demands, ({ email }) => email)
  }

  /** After so many operations. */
  by(after: number): Promised {
    const ledger = new Ledger()
    const recorded: Demand[] = []
    for (const demands of this.#byPerson.values()) {
      const [first] = demands
      if (first !== undefined)
        recorded.push(...this.#replay(ledger.add(new Person(first.email, first.userId)), demands, after))
    }
    const mailed = new Set(this.#mailed.filter(({ place }) => place < after).map(({ messageId }) => messageId))
    return { ledger, recorded, token: this.#token < after, revoked: this.#revoked < after, mailed }
  }

  /** What was answered by then; of the request that was under way, that it may have been done. */
  #replay(person: Person, demands: readonly Demand[], after: number): Demand[] {
    const recorded: Demand[] = []
    for (const { requestId, action, ...rest } of demands) {
      const answer = this.#answers.get(requestId)
      const isAnswered = answer !== undefined && answer.place < after && ![408, 503].includes(answer.status)
      person.sent(action)
      if (isAnswered) {
        person.answered(action, answer.status, Number.NEGATIVE_INFINITY)
        if (isSignUp(action)) person.id = this.#recording.ids[person.email]
        if (action.kind.endsWith('-user') && answer.status < 300) recorded.push({ requestId, action, ...rest })
      } else person.unanswered(action)
      if (answer !== undefined && answer.place >= after) break
    }
    return recorded
  }
}
