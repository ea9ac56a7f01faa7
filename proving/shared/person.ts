import { type Action, outcomesOf, type PersonState, UNKNOWN_PERSON } from './model.ts'

interface ObservedSubscription {
  readonly status: string
  readonly name: string
}

/** What the service shows of one person. */
export interface Observed {
  readonly subscription: ObservedSubscription | undefined
  /** To the second feed. */
  readonly second: ObservedSubscription | undefined
  /** At the new address. */
  readonly moved: ObservedSubscription | undefined
  readonly user: PersonState['user']
  readonly undeliverable: boolean
  /** How many ledgers, of the old subscription and of the new one, say that it was moved; undefined if not looked at. */
  readonly movesRecorded?: number | undefined
}

/**
 * One person in the ledger, by the requests that were sent and the answers that were read. Without an answer the
 * action may have been done or not: then the person may be in more than one state.
 */
export class Person {
  readonly email: string
  readonly userId: string
  /** Where the person may move to. */
  readonly newEmail: string
  /** The id of the subscription, once an answer has named it. */
  id: number | undefined
  /** When the last answer came that everything is erased; undefined after a new sign-up. */
  erasedAt: number | undefined
  #possible: readonly PersonState[] = [UNKNOWN_PERSON]

  constructor(email: string, userId: string) {
    this.email = email
    this.userId = userId
    this.newEmail = `new-${email}`
  }

  get possible(): readonly PersonState[] {
    return this.#possible
  }

  sent(action: Action): void {
    if (isSignUp(action)) this.erasedAt = undefined
  }

  /** False if no possible state gives such an answer. */
  answered(action: Action, status: number, at: number): boolean {
    const outcomes = this.#possible.flatMap((state) => outcomesOf(state, action)).filter((way) => way.status === status)
    if (outcomes.length === 0) return false
    this.#possible = distinct(outcomes.map(({ state }) => state))
    if (action.kind === 'delete-user' && action.subscriptions === 'erase' && status === 204) this.erasedAt = at
    return true
  }

  /** There was no answer, or one that leaves open what was done. */
  unanswered(action: Action): void {
    const done = this.#possible.flatMap((state) => outcomesOf(state, action)).map(({ state }) => state)
    this.#possible = distinct([...this.#possible, ...done])
  }

  /** False if no possible state matches. From then on the person is in a matching one. */
  observed(seen: Observed): boolean {
    const matching = this.#possible.filter((state) => isAs(state, seen))
    if (matching.length === 0) return false
    this.#possible = matching
    return true
  }

  /** Whether it is certain. */
  mustBe(holds: (state: PersonState) => boolean): boolean {
    return this.#possible.every(holds)
  }
}

export const isSignUp = ({ kind }: Action): boolean => kind === 'subscribe' || kind === 'subscribe-to-feeds'

const distinct = (states: readonly PersonState[]): PersonState[] => [
  ...new Map(states.map((state) => [JSON.stringify(state), state])).values(),
]

/** Whether the state matches what was observed. */
export const isAs = (state: PersonState, seen: Observed): boolean =>
  isSame(state.subscription, seen.subscription) &&
  isSame(state.second, seen.second) &&
  isSame(state.moved, seen.moved) &&
  isUser(state.user, seen.user) &&
  state.undeliverable === seen.undeliverable &&
  (seen.movesRecorded === undefined || seen.movesRecorded === (state.moved === undefined ? 0 : 2))

const isSame = (state: PersonState['subscription'], seen: ObservedSubscription | undefined): boolean =>
  state?.status === seen?.status && state?.name === seen?.name

const isUser = (user: PersonState['user'], seen: PersonState['user']): boolean =>
  typeof user === 'string' || typeof seen === 'string'
    ? user === seen
    : user.name === seen.name && user.suspended === seen.suspended
