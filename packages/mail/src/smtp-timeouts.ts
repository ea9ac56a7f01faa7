import { SECOND } from '@rollcall/core'

/** Milliseconds. */
export interface SmtpTimeouts {
  /** To find the relay and to get a connection. */
  readonly connection: number
  /** From there to the greeting, and for encryption to start. */
  readonly greeting: number
  /** Without a byte from the relay. */
  readonly silence: number
  /** For one mail, everything included: shorter than the lease on it, or another worker would send it as well. */
  readonly mail: number
}

export const TIMEOUTS: SmtpTimeouts = {
  connection: 10 * SECOND,
  greeting: 10 * SECOND,
  silence: 20 * SECOND,
  mail: 30 * SECOND,
}
