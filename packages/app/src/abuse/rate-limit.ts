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
