import { expect, it, onTestFinished } from 'vitest'
import { ServerClock } from '../../src/postgres/server-clock.ts'
import type { Ask } from '../../src/postgres/statement.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

/** A server whose clock says what is given, and is asked by round trips of so many milliseconds each. */
const server = async (now: number, trips: number[]) => {
  let elapsed = 0
  const state = { now, trips }
  const ask = (async () => {
    const trip = state.trips.shift() ?? 0
    elapsed += trip
    // It looks at its clock when the question comes, the way back is as long.
    return [[String(state.now + elapsed - trip / 2)]]
  }) as unknown as Ask
  const clock = await ServerClock.start(ask, () => elapsed)
  onTestFinished(() => clock.stop())
  return { state, clock, pass: (milliseconds: number) => (elapsed += milliseconds), elapsed: () => elapsed }
}

it('goes by the middle of the quickest round trip, and by the time elapsed since', async () => {
  const { clock, pass, elapsed } = await server(1_000_000, [400, 2, 30])
  expect(clock.now()).toBe(1_000_000 + elapsed())
  pass(5_000)
  expect(clock.now()).toBe(1_000_000 + elapsed())
})

it('follows the server when that is set, and not what a slow answer cannot tell', async () => {
  const { clock, state, elapsed } = await server(1_000_000, [1, 1, 1])
  for (const { ahead, trip, followed } of [
    { ahead: 3, trip: 10, followed: false },
    { ahead: 3, trip: 2, followed: true },
    { ahead: -60_000, trip: 10, followed: true },
  ]) {
    const before = clock.now() - elapsed()
    state.now = before + ahead
    state.trips = [trip]
    await clock.measure()
    expect(clock.now() - elapsed()).toBe(followed ? state.now : before)
  }
})

it('says what a real server says', async () => {
  const { clock, client } = await openStorage(await sharedDatabase())
  const before = clock.now()
  const {
    rows: [{ now } = { now: undefined }],
  } = await client.query({ text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now' })
  // Half of a slow round trip either way.
  expect(Number(now)).toBeGreaterThan(before - 1_000)
  expect(Number(now)).toBeLessThan(clock.now() + 1_000)
})
