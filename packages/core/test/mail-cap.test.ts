import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clampedTo,
  copyAllowedAt,
  DAY,
  HOUR,
  type MailSlot,
  MINUTE,
  mailCapAllows,
  mailCapAllowsAt,
  withoutSlot,
  withSlot,
} from '../src/index.ts'

const NOW = Date.UTC(2026, 5, 1)
const sentAt = (...times: number[]): MailSlot[] => times.map((at, n) => ({ at, messageId: `m${n}` }))
const ago = (...spans: number[]) => sentAt(...spans.map((span) => NOW - span))

describe('the mail caps of an address', () => {
  it('allow a mail at once where none was sent', () => {
    expect(mailCapAllowsAt([], NOW)).toBe(NOW)
  })

  it('allow one mail in ten minutes, to the millisecond', () => {
    expect(mailCapAllowsAt(ago(10 * MINUTE), NOW)).toBe(NOW)
    expect(mailCapAllowsAt(ago(10 * MINUTE - 1), NOW)).toBe(NOW + 1)
    expect(mailCapAllowsAt(ago(0), NOW)).toBe(NOW + 10 * MINUTE)
  })

  it('allow three mails in 24 hours', () => {
    expect(mailCapAllowsAt(ago(23 * HOUR, 2 * HOUR, HOUR), NOW)).toBe(NOW + HOUR)
    expect(mailCapAllowsAt(ago(DAY, 2 * HOUR, HOUR), NOW)).toBe(NOW)
    expect(mailCapAllowsAt(ago(2 * HOUR, HOUR), NOW)).toBe(NOW)
  })

  it('allow six mails in seven days', () => {
    expect(mailCapAllowsAt(ago(7 * DAY - HOUR, 6 * DAY, 5 * DAY, 4 * DAY, 3 * DAY, 2 * DAY), NOW)).toBe(NOW + HOUR)
    expect(mailCapAllowsAt(ago(7 * DAY, 6 * DAY, 5 * DAY, 4 * DAY, 3 * DAY, 2 * DAY), NOW)).toBe(NOW)
  })

  it('allow what the strictest of several caps allows, in whatever order the mails are given', () => {
    const slots = ago(5 * MINUTE, 23 * HOUR, 22 * HOUR, 6 * DAY, 5 * DAY, 4 * DAY)
    // Five minutes for the first cap, an hour for the second, a day for the third.
    expect(mailCapAllowsAt(slots, NOW)).toBe(NOW + DAY)
    expect(mailCapAllowsAt(slots.toReversed(), NOW)).toBe(NOW + DAY)
    expect(mailCapAllows(slots, NOW)).toBe(false)
  })

  it('count each try of a mail, and forget what no cap asks about any more', () => {
    const slots = withSlot(ago(7 * DAY, 6 * DAY, HOUR), { at: NOW, messageId: 'm2' })
    expect(slots).toEqual([
      { at: NOW - 6 * DAY, messageId: 'm1' },
      { at: NOW - HOUR, messageId: 'm2' },
      { at: NOW, messageId: 'm2' },
    ])
  })

  it('take a mail from the future for one of now: the clock was set back', () => {
    expect(mailCapAllowsAt(sentAt(NOW + 30 * DAY), NOW)).toBe(NOW + 10 * MINUTE)
    expect(clampedTo(sentAt(NOW - 1, NOW + 1), NOW)).toEqual(sentAt(NOW - 1, NOW))
  })

  it('never let through more than 1 in 10 minutes, 3 in a day and 6 in a week, nor hold back for longer than that', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 2 * DAY }), { maxLength: 80 })
    fc.assert(
      fc.property(waits, (all) => {
        let slots: readonly MailSlot[] = []
        let now = NOW
        const sent: number[] = []
        for (const [n, wait] of all.entries()) {
          now += wait
          const allowedAt = mailCapAllowsAt(slots, now)
          expect(allowedAt - now).toBeLessThanOrEqual(7 * DAY)
          expect(mailCapAllowsAt(slots, allowedAt)).toBe(allowedAt)
          if (allowedAt > now) continue
          slots = withSlot(slots, { at: now, messageId: `m${n}` })
          sent.push(now)
        }
        expect(slots.length).toBeLessThanOrEqual(6)
        for (const [most, within] of [
          [1, 10 * MINUTE],
          [3, DAY],
          [6, 7 * DAY],
        ] as const)
          for (const from of sent)
            expect(sent.filter((at) => at >= from && at < from + within).length).toBeLessThanOrEqual(most)
      }),
    )
  })
})

describe('another try of a mail that may have been delivered', () => {
  const triedAgo = (...spans: number[]): MailSlot[] => spans.map((span) => ({ at: NOW - span, messageId: 'm' }))
  const other = (span: number): MailSlot => ({ at: NOW - span, messageId: 'other' })
  const reminder = { ...other(0), reminder: true as const }

  it.each<[why: string, slots: MailSlot[], attempts: number, wait: number]>([
    ['ten minutes after the first', triedAgo(0), 1, 10 * MINUTE],
    ['ten minutes after the second', triedAgo(10 * MINUTE, 0), 2, 10 * MINUTE],
    ['a day after the first of three', triedAgo(20 * MINUTE, 10 * MINUTE, 0), 3, DAY - 20 * MINUTE],
    ['a day after another mail', [other(HOUR), ...triedAgo(30 * MINUTE, 0)], 2, DAY - HOUR],
    ['a week after the first of six', triedAgo(50, 40, 30, 20, 10, 0), 6, 7 * DAY - 50],
    ['ten minutes after a reminder that came meanwhile', [reminder, ...triedAgo(0)], 1, 10 * MINUTE],
    ['after ten minutes outside the caps', [], 1, 10 * MINUTE],
    ['after ten minutes outside the caps, whatever else went', [other(0), other(1), other(2)], 2, 10 * MINUTE],
    ['after a day outside the caps', [], 3, DAY],
    ['after a week outside the caps', [], 6, 7 * DAY],
  ])('is made %s', (_why, slots, attempts, wait) => {
    expect(copyAllowedAt({ messageId: 'm', attempts }, slots, NOW)).toBe(NOW + wait)
  })

  it('counts as a mail of its own, and is taken back alone', () => {
    const [first, second] = triedAgo(HOUR, 0) as [MailSlot, MailSlot]
    expect(withSlot([first], second)).toEqual([first, second])
    expect(withoutSlot([first, second], second)).toEqual([first])
  })
})
