import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'

interface Consumed {
  readonly allowed: boolean
  readonly state: RateLimiterRes
}

/** Counts one action of the client. */
export const consume = async (limiter: Pick<RateLimiterAbstract, 'consume'>, client: string): Promise<Consumed> => {
  try {
    return { allowed: true, state: await limiter.consume(client) }
  } catch (error) {
    // This is how the library says no; anything else it throws is an error.
    if (error instanceof RateLimiterRes) return { allowed: false, state: error }
    throw error
  }
}
