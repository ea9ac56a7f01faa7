import type { Credentials } from './credentials.ts'

/** What is generated; each kind has a generator of its own. */
export const KINDS = ['body', 'headers', 'import', 'link', 'stream', 'target', 'token'] as const

export type Kind = (typeof KINDS)[number]

/** One request whose end is beyond doubt, so that others may follow it on its connection. */
export interface RequestInput {
  readonly kind: Exclude<Kind, 'stream'>
  readonly number: number
  readonly bytes: Buffer
  readonly method: string
  /** What the answer has to repeat, where it is a name that is taken. */
  readonly requestId: string | undefined
  /** The only statuses that are right; undefined where that cannot be told without being the service. */
  readonly expected: readonly number[] | undefined
}

/** How bytes reach the service. */
export type Way = 'whole' | 'halves' | 'bytes'

/** What the client does when it has written everything. */
export type Ending = 'half-close' | 'reset'

/** Any bytes, on a connection of their own. */
export interface StreamInput {
  readonly kind: 'stream'
  readonly number: number
  readonly bytes: Buffer
  readonly way: Way
  readonly ending: Ending
}

export type Input = RequestInput | StreamInput

/** What the generators may use of the service that they write for. */
export interface Surroundings {
  readonly credentials: Credentials
  /** Tokens of links that were mailed: `<purpose>/<token>`. */
  readonly links: readonly string[]
  readonly subscriptionIds: readonly string[]
  /** Texts to put wherever a text goes. */
  readonly texts: readonly string[]
  /** Whole requests or streams to change a little. */
  readonly streams: readonly Buffer[]
}

/** Something that the service must never do. */
export interface Violation {
  /** Which rule was broken: what comes before the first colon is the same for the same rule. */
  readonly problem: string
  /** What it was the answer to; undefined where nobody can tell which of many it was. */
  readonly input: Input | undefined
}

export const ruleOf = (problem: string): string => problem.slice(0, problem.indexOf(':'))
