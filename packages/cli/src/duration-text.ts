const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** Seconds for a person: `0.4 s`, `12 s`, `2 min 5 s`, `1 h 2 min`. */
export const durationText = (seconds: number): string => {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  const whole = Math.round(seconds)
  const at = UNITS.findIndex(([, size]) => whole >= size)
  const [unit, size] = UNITS[at] ?? ['s', 1]
  if (size === 1) return `${whole} s`
  const [smaller, smallerSize] = UNITS[at + 1] ?? ['s', 1]
  return `${Math.floor(whole / size)} ${unit} ${Math.floor((whole % size) / smallerSize)} ${smaller}`
}
