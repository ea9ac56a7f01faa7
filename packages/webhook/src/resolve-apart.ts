import { WebhookRefused } from '@rollcall/core'
import type { Resolve } from './reachable-addresses.ts'

/** Milliseconds. */
const LONG = 1_000

/**
 * The same, so that hosts whose name servers do not answer take nothing from others. Node looks up two names at a time for
 * the whole process, and one may take half a minute. So each host is looked up once for all that ask meanwhile; of those
 * that took long the last time, one at a time; and none while two take long, as it would only wait behind them.
 */
export const resolveApart = (resolve: Resolve): Resolve => {
  const asked = new Map<string, Parameters<Resolve>[2][]>()
  const slow = new Set<string>()
  return (host, options, done) => {
    const key = `${host} ${options.family ?? 0} ${options.hints ?? 0}`
    const waiting = asked.get(key)
    if (waiting !== undefined) return void waiting.push(done)
    const hanging = [...asked.keys()].filter((other) => slow.has(other)).length
    if (hanging >= (slow.has(key) ? 1 : 2))
      return done(new WebhookRefused('The target could not be reached: name servers do not answer.'), [])
    const all = [done]
    asked.set(key, all)
    const began = performance.now()
    const timer = setTimeout(() => slow.add(key), LONG).unref()
    resolve(host, options, (error, found) => {
      clearTimeout(timer)
      if (performance.now() - began < LONG) slow.delete(key)
      asked.delete(key)
      for (const one of all) one(error, found)
    })
  }
}
