import { expect, it } from 'vitest'
import { parseSmtpTimeouts, TIMEOUTS, TIMEOUTS_TEXT } from '../src/smtp-timeouts.ts'

it('are written as they are', () => {
  expect(parseSmtpTimeouts(TIMEOUTS_TEXT)).toEqual(TIMEOUTS)
})

it.each([
  ['', {}],
  ['dot=20m', { dot: 1_200_000 }],
  [
    'connect=10s, greeting=1m command=90s,data=1h',
    { connect: 10_000, greeting: 60_000, command: 90_000, data: 3_600_000 },
  ],
])('%j changes what it names', (text, changes) => {
  expect(parseSmtpTimeouts(text)).toEqual({ ...TIMEOUTS, ...changes })
})

it.each([
  ...['dot', 'dot=', 'dot=10', 'dot=0s', 'dot=2h', 'dot=1m,dot=2m', 'dot=1m=2m', 'end=1m', 'toString=1m', 'Dot=1m'],
  '10m',
])('%j cannot be read', (text) => {
  expect(parseSmtpTimeouts(text)).toBeUndefined()
})
