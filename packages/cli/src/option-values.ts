import { parseDuration } from '@rollcall/platform-node'
import { InvalidArgumentError } from 'commander'

/** Parser of an option's value: a whole number in decimal digits, within limits; the error names them. */
export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`Give a whole number, ${range}.`)
  }

/** Parser of an option's value: a duration, in seconds. */
export const duration = (text: string): number => {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) throw new InvalidArgumentError('Give a duration such as 90s, 15m, 1h or 7d.')
  return milliseconds / 1_000
}

/** Parser of an option that may be given several times. */
export const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]
