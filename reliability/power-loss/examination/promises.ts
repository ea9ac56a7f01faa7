import { outcomesOf, type PersonState, UNKNOWN_PERSON } from '../../ledger/model.ts'
import type { RecordedOperation } from '../disk/operation.ts'
import type { Demand, PersonInQuestion } from '../recording/load-client.ts'
import type { Recording } from '../recording/recording.ts'

/** What must hold for a person by the answers it had got. */
export interface PersonPromised {
  readonly person: PersonInQuestion
  /** Every state that the person may be in. */
  readonly possible: readonly PersonState[]
  /** Requests that were answered. */
  readonly answered: readonly Demand[]
  /** The index of the operation that was the last answer. */
  readonly lastAnswer: number
}

/** Everything that had been promised at one moment. */
export interface Promised {
  readonly persons: readonly PersonPromised[]
  /** Message-IDs of the mails that the relay had received. */
  readonly mailed: ReadonlySet<string>
  /** The access token, once it was printed. */
  readonly token: string | undefined
}

/** Everything that was promised in a recording, and when. */
export class Promises {
  readonly #answers = new Map<string, { readonly place: number; readonly status: number }>()
  readonly #mailed: { readonly place: number; readonly messageId: string }[] = []
  readonly #byPerson: Map<string, Demand[]>
  #token: { readonly place: number; readonly text: string } | undefined

  constructor({ operations, demands }: Pick<Recording, 'operations' | 'demands'>) {
    for (const [place, operation] of operations.entries()) this.#note(operation, place)
    this.#byPerson = Map.groupBy(demands, ({ person }) => person.email)
  }

  /** After so many operations. */
  by(after: number): Promised {
    const token = this.#token
    return {
      persons: [...this.#byPerson.values()].flatMap((demands) => this.#personBy(demands, after)),
      mailed: new Set(this.#mailed.filter(({ place }) => place < after).map(({ messageId }) => messageId)),
      token: token && token.place < after ? token.text : undefined,
    }
  }

  #personBy(demands: readonly Demand[], after: number): PersonPromised[] {
    const [first] = demands
    if (first === undefined) return []
    let possible: readonly PersonState[] = [UNKNOWN_PERSON]
    const answered: Demand[] = []
    let lastAnswer = -1
    for (const demand of demands) {
      const answer = this.#answers.get(demand.requestId)
      const outcomes = possible.flatMap((state) => outcomesOf(state, demand.action))
      if (answer === undefined || answer.place >= after) {
        // It may have been asked by then, and even done.
        possible = [...possible, ...outcomes.map(({ state }) => state)]
        break
      }
      possible = outcomes.filter(({ status }) => status === answer.status).map(({ state }) => state)
      answered.push(demand)
      lastAnswer = answer.place
    }
    return [{ person: first.person, possible, answered, lastAnswer }]
  }

  #note(operation: RecordedOperation, place: number): void {
    const { kind } = operation
    if (kind === 'answered') this.#answers.set(operation.requestId, { place, status: operation.status })
    if (kind === 'mailed') this.#mailed.push({ place, messageId: operation.messageId })
    if (kind === 'printed') this.#token ??= { place, text: operation.text }
  }
}
