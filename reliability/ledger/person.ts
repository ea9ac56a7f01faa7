import { type Action, outcomesOf, type PersonState, UNKNOWN_PERSON } from './model.ts'

export interface ObservedSubscription {
  readonly id: number
  readonly status: string
  readonly name: string
}

/** What is in the store about one person. */
export interface Observed {
  readonly subscription: ObservedSubscription | undefined
  readonly user: PersonState['user']
  /** Whether the access token of this person is refused. */
  readonly revoked: boolean
  /** Undefined where it was not looked at. */
  readonly more?: MoreObserved | undefined
}

interface MoreObserved {
  /** To the second feed. */
  readonly second: ObservedSubscription | undefined
  /** At the new address. */
  readonly moved: ObservedSubscription | undefined
  /** How many ledgers, of the old subscription and of the new one, say that it was moved. */
  readonly movesRecorded: number
  /** Undefined where no sender reported anything: the relay may have refused the address. */
  readonly delivery: PersonState['delivery'] | undefined
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
  /** Where the person may move to. */
  readonly newEmail: string
  /** Subscriptions beside the first, as they were seen in the store. */
  readonly otherIds = new Set<number>()
  /** Whether anything was reported of mails to the person. */
  hasBounces = false
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
    this.newEmail = `new-${email}`
  }

  get possible(): readonly PersonState[] {
    return this.#possible
  }

  get hasOpenActions(): boolean {
    return this.#open > 0
  }

  sent(action: Action): void {
    this.#open++
    if (isSignUp(action)) this.erasedAt = undefined
    if (action.kind === 'bounce') this.hasBounces = true
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

export const isSignUp = ({ kind }: Action): boolean => kind === 'subscribe' || kind === 'subscribe-to-feeds'

const distinct = (states: readonly PersonState[]): PersonState[] => [
  ...new Map(states.map((state) => [JSON.stringify(state), state])).values(),
]

/** Whether the state matches what was observed. */
export const isAs = (state: PersonState, seen: Observed): boolean =>
  state.revoked === seen.revoked &&
  isSame(state.subscription, seen.subscription) &&
  isUser(state.user, seen.user) &&
  (seen.more === undefined || isMore(state, seen.more))

const isMore = ({ second, moved, delivery }: PersonState, seen: MoreObserved): boolean =>
  isSame(second, seen.second) &&
  isSame(moved, seen.moved) &&
  seen.movesRecorded === (moved === undefined ? 0 : 2) &&
  (seen.delivery === undefined || delivery === seen.delivery)

const isSame = (state: PersonState['subscription'], seen: ObservedSubscription | undefined): boolean =>
  state?.status === seen?.status && state?.name === seen?.name

const isUser = (user: PersonState['user'], seen: PersonState['user']): boolean =>
  typeof user === 'string' || typeof seen === 'string'
    ? user === seen
    : user.name === seen.name && user.suspended === seen.suspended
