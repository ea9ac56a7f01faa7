import { parseDuration } from '@rollcall/platform-node'

/** Milliseconds that a relay may take for each part of a dialogue. */
export interface SmtpTimeouts {
  /** To be found, and to give a connection. */
  readonly connect: number
  /** From there to its greeting; and to begin encryption. */
  readonly greeting: number
  /** To answer a command. */
  readonly command: number
  /** To answer DATA. */
  readonly data: number
  /** To read the message. */
  readonly block: number
  /** To answer the message. A mail that is given up here may have been delivered, so this is long. */
  readonly dot: number
}

export type SmtpPhase = keyof SmtpTimeouts

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** @see RFC 5321 section 4.5.3.2, which leaves `connect` to the system */
export const TIMEOUTS: SmtpTimeouts = {
  connect: 30 * SECOND,
  greeting: 5 * MINUTE,
  command: 5 * MINUTE,
  data: 2 * MINUTE,
  block: 3 * MINUTE,
  dot: 10 * MINUTE,
}

const timeText = (time: number): string => (time % MINUTE === 0 ? `${time / MINUTE}m` : `${time / SECOND}s`)

/** The same as a text. */
export const TIMEOUTS_TEXT = Object.entries(TIMEOUTS)
  .map(([name, time]) => `${name}=${timeText(time)}`)
  .join(',')

const SHORTEST = 1 * SECOND
const LONGEST = 60 * MINUTE

/**
 * Reads `command=1m,dot=20m`: each name at most once, from a second to an hour; the others stay as they are. Undefined
 * for anything else.
 */
export const parseSmtpTimeouts = (text: string): SmtpTimeouts | undefined => {
  const given = new Map<string, number>()
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [name = '', duration = '', ...rest] = part.split('=')
    const time = parseDuration(duration)
    if (rest.length > 0 || !Object.hasOwn(TIMEOUTS, name) || given.has(name)) return undefined
    if (time === undefined || time < SHORTEST || time > LONGEST) return undefined
    given.set(name, time)
  }
  return { ...TIMEOUTS, ...Object.fromEntries(given) }
}
