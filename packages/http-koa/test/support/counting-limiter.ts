import type { RateLimiter } from '../../src/index.ts'

/** Counts without end: its window never ends. */
export class CountingLimiter implements RateLimiter {
  readonly quota: number
  readonly window = 90_500
  readonly counts = new Map<string, number>()

  constructor(quota: number) {
    this.quota = quota
  }

  async count(action: string, key: string) {
    const client = `${action} ${key}`
    const count = (this.counts.get(client) ?? 0) + 1
    this.counts.set(client, count)
    return { allowed: count <= this.quota, remaining: Math.max(0, this.quota - count), resetIn: 30_200 }
  }
}
