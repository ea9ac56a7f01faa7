import type { Credentials } from './credentials.ts'

/** Kinds of inputs; each has its own generator. */
export const KINDS = ['body', 'headers', 'import', 'link', 'stream', 'target', 'token'] as const

export type Kind = (typeof KINDS)[number]

/** One request whose end is certain, so that others may follow on its connection. */
export interface RequestInput {
  readonly kind: Exclude<Kind, 'stream'>
  readonly number: number
  readonly bytes: Buffer
  readonly method: string
  /** The request id that the answer must repeat, where it is a valid one. */
  readonly requestId: string | undefined
  /** The only correct statuses; undefined where only the service can know. */
  readonly expected: readonly number[] | undefined
}

/** How the bytes are split. */
type Way = 'whole' | 'halves' | 'bytes'

/** What the client does when it has written everything. */
type Ending = 'half-close' | 'reset'

/** Any bytes, on a connection of their own. */
export interface StreamInput {
  readonly kind: 'stream'
  readonly number: number
  readonly bytes: Buffer
  readonly way: Way
  readonly ending: Ending
}

export type Input = RequestInput | StreamInput

/** What generators may use of the running service. */
export interface Surroundings {
  readonly credentials: Credentials
  /** Tokens of links that were mailed: `<purpose>/<token>`. */
  readonly links: readonly string[]
  readonly subscriptionIds: readonly string[]
  /** Texts to use as values. */
  readonly texts: readonly string[]
  /** Whole requests or streams to mutate. */
  readonly streams: readonly Buffer[]
}

/** A broken rule. */
export interface Violation {
  /** The text before the first colon names the rule. */
  readonly problem: string
  /** The input that caused it; undefined where it cannot be identified. */
  readonly input: Input | undefined
}

export const ruleOf = (problem: string): string => problem.slice(0, problem.indexOf(':'))
