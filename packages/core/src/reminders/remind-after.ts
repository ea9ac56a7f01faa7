import { InvalidInput } from '../errors.ts'
import { DAY, HOUR, MINUTE } from '../instant.ts'

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

/** A link in a reminder lives at least this long. */
export const LINK_LEFT = 1 * DAY
/** For the link to be good for long enough, a reminder comes sooner by this much at most. */
export const SOONER = 1 * HOUR
/** How long it may take to be sent. */
export const TIME_TO_SEND = 10 * MINUTE

/** Of what span a reminder can be sent at all, where links to confirm live for so long. */
export const longestRemindAfter = (linkLife: number): number => linkLife - LINK_LEFT - TIME_TO_SEND + SOONER

/** @throws {InvalidInput} no reminder could ever be sent */
export const requireSendable = (remindAfter: number | undefined, linkLife: number): number | undefined => {
  const longest = Math.floor(longestRemindAfter(linkLife) / HOUR)
  if (remindAfter === undefined || remindAfter <= longestRemindAfter(linkLife)) return remindAfter
  const remedy = longest < 1 ? 'Leave it out' : `Give ${remindAfterText(longest * HOUR)} at most`
  const message = `No reminder could be sent: links to confirm live for ${spanText(linkLife)}, and one must be good for a day when it comes. ${remedy}, or have links live longer.`
  throw new InvalidInput([{ field: 'remind_after', message }])
}

const spanText = (span: number): string => {
  if (span % HOUR === 0) return remindAfterText(span)
  return `${Math.floor(span / MINUTE)}m`
}

/** As it is written: in days if they are whole. */
export const remindAfterText = (span: number): string => (span % DAY === 0 ? `${span / DAY}d` : `${span / HOUR}h`)
