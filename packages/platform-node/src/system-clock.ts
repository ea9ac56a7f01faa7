/** The clock of this machine, in milliseconds since 1970. */
export const systemClock = { now: (): number => Date.now() } as const
