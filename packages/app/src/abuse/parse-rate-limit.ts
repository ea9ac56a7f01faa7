import { parseDuration } from '@rollcall/platform-node'

/** How often a client may ask within how many milliseconds. */
export interface RateLimit {
  readonly quota: number
  readonly window: number
}

const RATE = /^([1-9]\d{0,5})\/(\w+)$/
const SECOND = 1_000
const DAY = 86_400_000

/** `20/1m` as a limit; undefined for anything else. A window lasts a second to a day. */
export const parseRateLimit = (text: string): RateLimit | undefined => {
  const [, quota, duration = ''] = RATE.exec(text) ?? []
  const window = parseDuration(duration)
  if (quota === undefined || window === undefined || window < SECOND || window > DAY) return undefined
  return { quota: Number(quota), window }
}

const HOUR = 3_600_000
const LEAST_FORMS = 100
const SHARE = 12

/**
 * How many forms a network may send in an hour: a twelfth of what the limit lets one client send in that time, and at least
 * 100. So it grows if somebody raises the limit, for a server of theirs that sends the forms of all visitors.
 */
export const networkLimitOf = ({ quota, window }: RateLimit): RateLimit => ({
  quota: Math.max(LEAST_FORMS, Math.floor((quota * HOUR) / window / SHARE)),
  window: HOUR,
})
