import { type Life, outcomesOf, UNKNOWN_PERSON } from '../../ledger/life.ts'
import type { Happening } from '../disk/happening.ts'
import type { Demand, PersonInQuestion } from '../recording/demand.ts'
import type { Recording } from '../recording/recording.ts'

/** What must be so of a person, for all that it was told by then. */
export interface PersonPromised {
  readonly person: PersonInQuestion
  /** Every life that it may have. */
  readonly possible: readonly Life[]
  /** Requests that were answered. */
  readonly answered: readonly Demand[]
  /** Which happening was the last answer. */
  readonly lastAnswer: number
}

/** Everything that had been promised by a moment. */
export interface Promised {
  readonly persons: readonly PersonPromised[]
  /** Message-IDs of what the relay had been given. */
  readonly mailed: ReadonlySet<string>
  /** The access token, if it had been given out. */
  readonly token: string | undefined
}

/** Knows what had been promised by when. */
export class Promises {
  readonly #answers = new Map<string, { readonly place: number; readonly status: number }>()
  readonly #mailed: { readonly place: number; readonly messageId: string }[] = []
  readonly #byPerson: Map<string, Demand[]>
  #token: { readonly place: number; readonly text: string } | undefined

  constructor({ happenings, demands }: Pick<Recording, 'happenings' | 'demands'>) {
    for (const [place, happening] of happenings.entries()) this.#note(happening, place)
    this.#byPerson = Map.groupBy(demands, ({ person }) => person.email)
  }

  /** After so many happenings. */
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
    let possible: readonly Life[] = [UNKNOWN_PERSON]
    const answered: Demand[] = []
    let lastAnswer = -1
    for (const demand of demands) {
      const answer = this.#answers.get(demand.requestId)
      const outcomes = possible.flatMap((life) => outcomesOf(life, demand.deed))
      if (answer === undefined || answer.place >= after) {
        // Perhaps it had been asked by then, and perhaps even done.
        possible = [...possible, ...outcomes.map(({ life }) => life)]
        break
      }
      possible = outcomes.filter(({ status }) => status === answer.status).map(({ life }) => life)
      answered.push(demand)
      lastAnswer = answer.place
    }
    return [{ person: first.person, possible, answered, lastAnswer }]
  }

  #note(happening: Happening, place: number): void {
    const { kind } = happening
    if (kind === 'answered') this.#answers.set(happening.requestId, { place, status: happening.status })
    if (kind === 'mailed') this.#mailed.push({ place, messageId: happening.messageId })
    if (kind === 'printed') this.#token ??= { place, text: happening.text }
  }
}
