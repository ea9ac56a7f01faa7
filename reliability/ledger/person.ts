import { type Action, outcomesOf, type PersonState, UNKNOWN_PERSON } from './model.ts'

/** What is in the store about one person. */
export interface Observed {
  readonly subscription: { readonly id: number; readonly status: string; readonly name: string } | undefined
  readonly user: PersonState['user']
}

/**
 * One person in the ledger, by what its clients have sent and what they have read. Where an answer is missing, what was
 * asked for may have been done or not: then there is more than one state that it may have.
 */
export class Person {
  readonly email: string
  readonly userId: string
  /** Of its subscription, once an answer has told it. */
  id: number | undefined
  /** When the last answer came that all of it is erased; undefined since it signed up again. */
  erasedAt: number | undefined
  /** Deeds that were sent and neither answered nor given up. */
  #open = 0
  #possible: readonly PersonState[] = [UNKNOWN_PERSON]

  constructor(email: string, userId: string) {
    this.email = email
    this.userId = userId
  }

  get possible(): readonly PersonState[] {
    return this.#possible
  }

  get hasOpenActions(): boolean {
    return this.#open > 0
  }

  sent(action: Action): void {
    this.#open++
    if (action.kind === 'subscribe') this.erasedAt = undefined
  }

  /** False where no such answer could be expected. */
  answered(action: Action, status: number, at: number): boolean {
    this.#open--
    const outcomes = this.#possible.flatMap((state) => outcomesOf(state, action)).filter((way) => way.status === status)
    if (outcomes.length === 0) return false
    this.#possible = distinct(outcomes.map(({ state }) => state))
    if (action.kind === 'delete-user' && action.subscriptions === 'erase' && status === 204) this.erasedAt = at
    return true
  }

  /** There was no answer, or one that says nothing of what was done. */
  unanswered(action: Action): void {
    this.#open--
    const done = this.#possible.flatMap((state) => outcomesOf(state, action)).map(({ state }) => state)
    this.#possible = distinct([...this.#possible, ...done])
  }

  /** False where it is nothing that this person can have come to. From then on it is what was seen. */
  observed(seen: Observed): boolean {
    const matching = this.#possible.filter((state) => isAs(state, seen))
    if (matching.length === 0) return false
    this.#possible = matching
    return true
  }
}

const distinct = (lives: readonly PersonState[]): PersonState[] => [
  ...new Map(lives.map((state) => [JSON.stringify(state), state])).values(),
]

/** Whether this may be what was seen of a person with such a state. */
export const isAs = ({ subscription, user }: PersonState, seen: Observed): boolean =>
  subscription?.status === seen.subscription?.status &&
  subscription?.name === seen.subscription?.name &&
  (typeof user === 'string' || typeof seen.user === 'string' ? user === seen.user : user.name === seen.user.name)
