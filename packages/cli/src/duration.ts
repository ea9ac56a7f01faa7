const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** Seconds of a duration such as `90s`, `15m`, `1h` or `7d`; undefined where the text is none. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * SECONDS[unit as keyof typeof SECONDS]
}
