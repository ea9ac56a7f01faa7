const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How much a provider is asked, and how long it is believed. Milliseconds, but for the size. */
export interface ProviderLimits {
  /** For one request, its whole answer included. */
  readonly timeout: number
  /** Bytes of one answer. */
  readonly largestAnswer: number
  /** Between two times that the keys are asked for, whatever came of the first and whatever tokens come. */
  readonly coolDown: number
  /** Keys of this age are fetched anew while they still serve. */
  readonly refreshAfter: number
  /** Keys of this age are used no more without having asked, */
  readonly maxAge: number
  /** and if the provider does not answer, up to this age. */
  readonly staleFor: number
  /** Where the keys are is asked anew after so long. */
  readonly rediscoverAfter: number
}

export const STANDARD_LIMITS: ProviderLimits = {
  timeout: 5 * SECOND,
  largestAnswer: 512 * 1024,
  coolDown: 30 * SECOND,
  refreshAfter: 5 * MINUTE,
  maxAge: 10 * MINUTE,
  staleFor: 24 * HOUR,
  rediscoverAfter: 24 * HOUR,
}
