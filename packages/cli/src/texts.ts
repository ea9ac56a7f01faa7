import { type Instant, timestamp } from '@rollcall/core'

// Controls, bidirectional overrides, line separators, halves of surrogate pairs: a terminal acts on them, or shows
// the text in another order than it has.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The text with everything that a terminal would act on written as an escape such as `\u001b`. */
export const visible = (text: string): string => text.replace(UNSAFE, escaped)

export const visibleLines = (text: string): string => text.split(/\r?\n/).map(visible).join('\n')

/** JSON on one line, and as harmless to a terminal: the escapes mean the same characters to a parser. */
export const visibleJson = (value: unknown): string => visible(JSON.stringify(value))

/** `1 user`, `2 users`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/** `a`, `a and b`, `a, b and c`. */
export const inWords = (parts: readonly string[]): string => new Intl.ListFormat('en-GB').format(parts)

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

/** RFC 3339, UTC, with milliseconds; null for undefined. */
export const instantText = timestamp

/** The day of it (UTC), empty for undefined. */
export const dayText = (time: Instant | string | null | undefined): string => fullText(time).slice(0, 10)

const fullText = (time: Instant | string | null | undefined): string =>
  (typeof time === 'number' ? instantText(time) : time) ?? ''

/** The same for people: to the second, empty for undefined. */
export const shortInstantText = (time: Instant | string | null | undefined): string =>
  fullText(time).replace(/\.\d+Z$/, 'Z')
