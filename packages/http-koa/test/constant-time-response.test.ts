import { InvalidInput, Unavailable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { constantTimeResponse } from '../src/middleware/constant-time-response.ts'
import type { Timing } from '../src/middleware/held-answers.ts'

type Middleware = ReturnType<typeof constantTimeResponse>
const context = {} as Parameters<Middleware>[0]

/** A clock that goes on only when a test lets it, a twentieth of a millisecond at a time. */
class Clock implements Timing {
  #now = 1_000
  #calls: { readonly at: number; readonly call: () => void }[] = []

  now(): number {
    return this.#now
  }

  later(call: () => void, milliseconds: number): void {
    this.#calls.push({ at: this.#now + milliseconds, call })
  }

  nextTurn(call: () => void): void {
    this.#calls.push({ at: this.#now, call })
  }

  /** Goes on at once: nothing that waits is called meanwhile. */
  skip(milliseconds: number): void {
    this.#now += milliseconds
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    while (this.#now < end) {
      this.#now = Math.min(end, this.#now + 0.05)
      const due = this.#calls.filter(({ at }) => at <= this.#now)
      this.#calls = this.#calls.filter(({ at }) => at > this.#now)
      for (const { call } of due) call()
      await settled()
    }
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

const serviceWith = () => {
  const clock = new Clock()
  const middleware = constantTimeResponse(clock)
  /** Gives a function that says how long the answer took, or that there is none yet. */
  const ask = (work: number, outcome?: Error) => {
    const began = clock.now()
    let took: number | undefined
    const next = async (): Promise<void> => {
      await new Promise<void>((resolve) => clock.later(resolve, work))
      if (outcome) throw outcome
    }
    const done = () => {
      took = clock.now() - began
    }
    Promise.resolve(middleware(context, next)).then(done, done)
    return () => took
  }
  const askInTurn = async (works: readonly number[]) => {
    for (const work of works) {
      const took = ask(work)
      while (took() === undefined) await clock.pass(1)
    }
  }
  return { clock, middleware, ask, askInTurn }
}

const rounded = (value: number | undefined) => value && Math.round(value * 5) / 5

describe('the time of an answer', () => {
  it('is three milliseconds at least', async () => {
    const { clock, ask } = serviceWith()
    const fast = ask(1)
    await clock.pass(2.9)
    expect(fast()).toBeUndefined()
    await clock.pass(0.3)
    expect(rounded(fast())).toBe(3)
  })

  it('is that of the slowest percent of the last minute, however soon the work is done', async () => {
    const { clock, ask, askInTurn } = serviceWith()
    await askInTurn([...Array(97).fill(4), 40, 50, 60])
    await clock.pass(100)
    const [fast, slower] = [ask(1), ask(35)]
    await clock.pass(45)
    expect([fast(), slower()]).toEqual([undefined, undefined])
    await clock.pass(10)
    // The slowest one of a hundred is left out.
    expect(rounded(fast())).toBeGreaterThanOrEqual(50)
    expect(rounded(fast())).toBeLessThanOrEqual(51)
    expect(slower()).toBe(fast())
  })

  it('does not follow a single slow one', async () => {
    const { ask, clock, askInTurn } = serviceWith()
    await askInTurn([200])
    const fast = ask(1)
    await clock.pass(3.2)
    expect(rounded(fast())).toBe(3)
  })

  it('is a quarter of a second at most', async () => {
    const { ask, clock, askInTurn } = serviceWith()
    await askInTurn([400, 400, 400])
    const fast = ask(1)
    await clock.pass(249)
    expect(fast()).toBeUndefined()
    await clock.pass(1.5)
    expect(rounded(fast())).toBe(250)
  })

  it('is short again a minute after the slow ones', async () => {
    const { ask, clock, askInTurn } = serviceWith()
    await askInTurn([100, 100, 100])
    for (let second = 0; second < 66; second++) {
      ask(1)
      await clock.pass(1)
      clock.skip(990)
      await clock.pass(9)
    }
    const fast = ask(1)
    await clock.pass(3.2)
    expect(rounded(fast())).toBe(3)
  })

  it('never holds more than a few answers: with one more, the first goes', async () => {
    const { ask, clock, askInTurn } = serviceWith()
    await askInTurn([200, 200, 200])
    const first = ask(1)
    await clock.pass(2)
    const others = Array.from({ length: 15 }, () => ask(1))
    await clock.pass(2)
    expect([first(), ...others.map((took) => took())].every((took) => took === undefined)).toBe(true)
    ask(1)
    await clock.pass(2)
    expect(first()).toBeDefined()
    expect(others.every((took) => took() === undefined)).toBe(true)
  })

  it('is that of the work where many are under way at a time', async () => {
    const { ask, clock, askInTurn } = serviceWith()
    await askInTurn([200, 200, 200])
    const crowd = Array.from({ length: 41 }, () => ask(4))
    await clock.pass(5)
    expect(crowd.map((took) => rounded(took()))).toEqual(crowd.map(() => 4))
    const alone = ask(1)
    await clock.pass(100)
    expect(alone()).toBeUndefined()
  })

  it('is not that of the work beside many that the input alone refuses', async () => {
    const { ask, clock, askInTurn } = serviceWith()
    await askInTurn([200, 200, 200])
    const took = ask(4)
    for (let n = 0; n < 50; n++) ask(1, new InvalidInput([]))
    await clock.pass(100)
    expect(took()).toBeUndefined()
  })

  it('is not held up where the input alone decides, but where storage failed', async () => {
    const { ask, clock } = serviceWith()
    const refused = ask(1, new InvalidInput([]))
    const unavailable = ask(1, new Unavailable())
    const broken = ask(1, new Error('broken'))
    await clock.pass(2)
    expect(refused()).toBeDefined()
    expect([unavailable(), broken()]).toEqual([undefined, undefined])
    await clock.pass(1.2)
    expect([rounded(unavailable()), rounded(broken())]).toEqual([3, 3])
  })
})

it('passes an error through unchanged', async () => {
  const refusal = new Error('refused')
  await expect(constantTimeResponse()(context, () => Promise.reject(refusal))).rejects.toBe(refusal)
})
