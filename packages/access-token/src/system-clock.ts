import type { Clock } from '@rollcall/core'

export const systemClock: Clock = { now: () => Date.now() }
