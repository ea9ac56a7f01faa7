import { InvalidInput } from '../errors.ts'
import { SECOND } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import type { FunnelMetrics } from './funnel-metrics.ts'

/** No person reads a form and fills it in sooner. */
const SHORTEST = 1 * SECOND
const STAMP = /^([1-9]\d{0,15})\.([0-9a-f]{32})$/

/** Signed times that our own page carries, to recognise a form that comes back sooner than a person can fill it in. */
export class FormStamps {
  readonly #clock: Clock
  readonly #digests: Digests
  readonly #metrics: FunnelMetrics

  constructor(ports: { clock: Clock; digests: Digests; metrics: FunnelMetrics }) {
    this.#clock = ports.clock
    this.#digests = ports.digests
    this.#metrics = ports.metrics
  }

  issue(): string {
    const now = String(this.#clock.now())
    return `${now}.${this.#mac(now)}`
  }

  /**
   * Forms without a stamp, or with one that has no valid signature, are not from our page: other rules apply to them.
   * @throws {InvalidInput} the form was on the page for less than a second
   */
  check(stamp: string | undefined): void {
    const [, time = '', mac = ''] = STAMP.exec(stamp ?? '') ?? []
    if (time === '' || !this.#digests.equal(this.#mac(time), mac)) return
    const age = this.#clock.now() - Number(time)
    if (age < 0 || age >= SHORTEST) return
    this.#metrics.turnedAway('too-fast')
    throw new InvalidInput([{ field: 'stamp', message: 'That was quicker than people type. Send the form again.' }])
  }

  #mac(time: string): string {
    return this.#digests.hmac('form', time).slice(0, 32)
  }
}
