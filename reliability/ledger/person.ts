import { type Action, outcomesOf, type PersonState, UNKNOWN_PERSON } from './model.ts'

/** What is in the store about one person. */
export interface Observed {
  readonly subscription: { readonly id: number; readonly status: string; readonly name: string } | undefined
  readonly user: PersonState['user']
  /** Whether the access token of this person is refused. */
  readonly revoked: boolean
}

/** The id of the access token of a user, which is never issued: to revoke it is a promise all the same. */
export const tokenIdOf = (userId: string): string => `token-of-${userId}`

/**
 * One person in the ledger, by the requests that were sent and the answers that were read. Without an answer the
 * action may have been done or not: then the person may be in more than one state.
 */
export class Person {
  readonly email: string
  readonly userId: string
  /** The id of the subscription, once an answer has named it. */
  id: number | undefined
  /** When the last answer came that everything is erased; undefined after a new sign-up. */
  erasedAt: number | undefined
  /** Actions that were sent and are neither answered nor failed. */
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

  /** False where no possible state gives such an answer. */
  answered(action: Action, status: number, at: number): boolean {
    this.#open--
    const outcomes = this.#possible.flatMap((state) => outcomesOf(state, action)).filter((way) => way.status === status)
    if (outcomes.length === 0) return false
    this.#possible = distinct(outcomes.map(({ state }) => state))
    if (action.kind === 'delete-user' && action.subscriptions === 'erase' && status === 204) this.erasedAt = at
    return true
  }

  /** There was no answer, or one that leaves open what was done. */
  unanswered(action: Action): void {
    this.#open--
    const done = this.#possible.flatMap((state) => outcomesOf(state, action)).map(({ state }) => state)
    this.#possible = distinct([...this.#possible, ...done])
  }

  /** False where no possible state matches. From then on the person is in a matching one. */
  observed(seen: Observed): boolean {
    const matching = this.#possible.filter((state) => isAs(state, seen))
    if (matching.length === 0) return false
    this.#possible = matching
    return true
  }
}

const distinct = (states: readonly PersonState[]): PersonState[] => [
  ...new Map(states.map((state) => [JSON.stringify(state), state])).values(),
]

/** Whether the state matches what was observed. */
export const isAs = ({ subscription, user, revoked }: PersonState, seen: Observed): boolean =>
  revoked === seen.revoked &&
  subscription?.status === seen.subscription?.status &&
  subscription?.name === seen.subscription?.name &&
  (typeof user === 'string' || typeof seen.user === 'string'
    ? user === seen.user
    : user.name === seen.user.name && user.suspended === seen.user.suspended)
