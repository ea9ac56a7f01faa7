import { spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import { type MailFigures, percentiles } from './measure-mails.ts'

const of = <Value>(values: readonly Value[], figure: (value: Value) => number) => spread(values.map(figure))

/** The rows of a table: figure, and median with range. */
export const mailRows = ({ backlog, bare, drains, promptness, alone, crowded }: MailFigures) => {
  const prompt = percentiles(promptness)
  return [
    { name: 'nodemailer alone, its own pool, mails/s', found: spread(bare), digits: 0 },
    { name: `a backlog of ${backlog}, mails/s`, found: of(drains, ({ rate }) => rate), digits: 0 },
    { name: 'CPU µs a mail', found: of(drains, ({ cost }) => cost), digits: 0 },
    { name: 'CPU denied, %', found: of(drains, ({ denied }) => denied * 100), digits: 0 },
    { name: 'MB meanwhile', found: of(drains, ({ resident }) => resident / 1e6), digits: 0 },
    { name: 'from a commit to its mail, ms', found: prompt, digits: 1 },
    { name: 'sign-ups alone, 200 a second: p99 ms', found: of(alone, ({ steady }) => steady.p99), digits: 1 },
    { name: 'beside a backlog: p99 ms', found: of(crowded, ({ steady }) => steady.p99), digits: 1 },
    { name: 'mails/s meanwhile', found: of(crowded, ({ steady }) => steady.mails), digits: 0 },
    { name: 'sign-ups alone, as many as can be: p99 ms', found: of(alone, ({ full }) => full.p99), digits: 1 },
    { name: 'beside a backlog: p99 ms', found: of(crowded, ({ full }) => full.p99), digits: 1 },
    { name: 'mails/s meanwhile', found: of(crowded, ({ full }) => full.mails), digits: 0 },
  ]
}

const MEGABYTE = 1e6

export const mailTargets = ({ bare, drains, promptness, alone, crowded }: MailFigures): Target[] => {
  const rate = of(drains, (drain) => drain.rate)
  const ratio = spread(drains.map((drain, turn) => drain.rate / (bare[turn] ?? Number.NaN)))
  const resident = of(drains, (drain) => drain.resident / MEGABYTE)
  const prompt = percentiles(promptness)
  return [
    target('outbox to an SMTP sink', rate, 'mails/s', 1_000, rate.median >= 1_000),
    target('outbox / nodemailer alone', ratio, '', 0.8, ratio.median >= 0.8),
    target('resident memory, sending a backlog', resident, 'MB', 200, resident.median < 200),
    target('from a commit to its mail, p50', prompt, 'ms', 100, prompt.median < 100),
    ...(['steady', 'full'] as const).map((load) => {
      const times = spread(
        crowded.map((crowding, turn) => crowding[load].p99 / (alone[turn]?.[load].p99 ?? Number.NaN)),
      )
      const name = `p99 of sign-ups beside a backlog / alone, ${load === 'full' ? 'at full load' : '200 a second'}`
      return target(name, times, 'times', 2, times.median <= 2)
    }),
  ]
}

const target = (
  name: string,
  found: Target['spread'],
  unit: Target['unit'],
  limit: number,
  reached: boolean,
): Target => ({ name, value: found.median, spread: found, unit, limit, reached })
