import { InvalidInput } from '../errors.ts'
import { DAY, HOUR } from '../instant.ts'

const UNITS = { d: DAY, h: HOUR } as const
const SPAN = /^([1-9]\d{0,2})([dh])$/

/**
 * A span in days or hours, as settings have it, in milliseconds; undefined without a text.
 * @throws {InvalidInput} it is not such a span, or is not from 1h to 6d
 */
export const parseRemindAfter = (text: string | undefined): number | undefined => {
  if (!text) return undefined
  const [, count, unit] = SPAN.exec(text) ?? []
  const span = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (span >= HOUR && span <= 6 * DAY) return span
  const message = 'Give hours or days from 1h to 6d, such as 36h or 2d; or leave it out, and there are no reminders.'
  throw new InvalidInput([{ field: 'remind_after', message }])
}

/** As it is written: in days where they are whole. */
export const remindAfterText = (span: number): string => (span % DAY === 0 ? `${span / DAY}d` : `${span / HOUR}h`)
