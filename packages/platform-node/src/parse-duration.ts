const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d{1,9})([smhd])$/

/** `90s`, `15m`, `1h` or `7d` in milliseconds; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit] = DURATION.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS]
}
