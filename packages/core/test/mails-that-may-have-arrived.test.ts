import { describe, expect, it } from 'vitest'
import { DAY, DELIVERY_LEASE, HOUR, MailUnanswered, MINUTE, SECOND } from '../src/index.ts'
import { ADMIN, deliver, mailsOf, outboxOf, type Service, subscribe } from './cast.ts'
import { anotherWorker, EMAIL, failWith, heal, withMail } from './deliveries.ts'

const UNANSWERED = new MailUnanswered('The mail may have been delivered: no answer.')

/** A service with one mail in the outbox, and a relay: another try of a mail is a copy. */
const withRelay = async () => {
  const { at, id } = await withMail()
  Object.assign(at.transport, { keepsMails: false })
  const tries: number[] = []
  const answer = (error?: unknown): void => {
    at.transport.otherSide = async () => {
      tries.push(at.clock.now())
      if (error !== undefined) throw error
    }
  }
  answer()
  return { at, id, tries, answer }
}

const lets = async (at: Service, span: number, step = MINUTE): Promise<void> => {
  for (let passed = 0; passed < span; passed += step) {
    await deliver(at)
    at.clock.advance(step)
  }
}

const newFeed = async (at: Service, name = 'news') => (await at.useCases.putFeed.execute({ name }, ADMIN)).feed.name

describe('a mail that the relay got and did not answer', () => {
  it('waits for as long as the caps of its address demand, and says why', async () => {
    const { at, answer } = await withRelay()
    answer(UNANSWERED)
    expect((await deliver(at)).failures).toMatchObject([{ parked: false, error: UNANSWERED }])
    expect(await outboxOf(at)).toMatchObject([
      { attempts: 1, lastError: UNANSWERED.message, notBefore: at.clock.now() + 10 * MINUTE },
    ])
  })

  it('waits from when its answer was given up, not from when it was begun', async () => {
    const { at } = await withRelay()
    at.transport.otherSide = async () => {
      at.clock.advance(10 * MINUTE)
      throw UNANSWERED
    }
    await deliver(at)
    expect((await outboxOf(at))[0]?.notBefore).toBe(at.clock.now() + 10 * MINUTE)
    heal(at)
    at.clock.advance(10 * MINUTE - 1)
    expect((await deliver(at)).sent).toBe(0)
    at.clock.advance(1)
    expect((await deliver(at)).sent).toBe(1)
  })

  it('holds back other mails to its address, as a mail that was delivered does', async () => {
    const { at, answer } = await withRelay()
    answer(UNANSWERED)
    await deliver(at)
    answer()
    await subscribe(at, EMAIL, { feed: await newFeed(at) })
    expect((await deliver(at)).sent).toBe(0)
    at.clock.advance(10 * MINUTE)
    // One of the two.
    expect((await deliver(at)).sent).toBe(1)
  })

  it('waits for a person when it is two days old', async () => {
    const { at, answer } = await withRelay()
    answer(UNANSWERED)
    for (const day of [0, 1, 2]) {
      expect((await deliver(at)).failures).toMatchObject([{ parked: day === 2 }])
      at.clock.advance(DAY)
    }
    expect(await outboxOf(at)).toMatchObject([{ parkedAt: expect.any(Number), lastError: UNANSWERED.message }])
  })

  it('is sent at the first try that is answered, and no more', async () => {
    const { at, tries, answer } = await withRelay()
    answer(UNANSWERED)
    await deliver(at)
    answer()
    await lets(at, DAY, 10 * MINUTE)
    expect(tries).toHaveLength(2)
    expect(await outboxOf(at)).toEqual([])
  })
})

describe('a mail that was not delivered', () => {
  it('is tried again soon, and counts for nothing until then', async () => {
    const { at, answer } = await withRelay()
    answer(new Error('451 try later'))
    await deliver(at)
    expect(((await outboxOf(at))[0]?.notBefore ?? 0) - at.clock.now()).toBeLessThanOrEqual(5 * SECOND)
    answer()
    await subscribe(at, EMAIL, { feed: await newFeed(at) })
    at.clock.advance(5 * SECOND)
    expect((await deliver(at)).sent).toBe(1)
  })

  it('leaves an earlier try counted of which that is not known', async () => {
    const { at, tries, answer } = await withRelay()
    answer(UNANSWERED)
    await deliver(at)
    answer(new Error('451 try later'))
    await lets(at, 20 * MINUTE)
    answer(UNANSWERED)
    await lets(at, 40 * MINUTE)
    answer()
    const before = tries.length
    await lets(at, 20 * HOUR, 10 * MINUTE)
    expect(tries).toHaveLength(before)
  })
})

describe('a mail whose process died', () => {
  /** Claims as a worker of another process does, which then dies in the dialogue. */
  const dieWith = async (at: Service): Promise<void> => {
    at.transport.otherSide = () => new Promise(() => {})
    void anotherWorker(at).execute({ limit: 9 })
    while ((await outboxOf(at))[0]?.attempts === 0) await new Promise((resolve) => setTimeout(resolve))
    heal(at)
    at.clock.advance(DELIVERY_LEASE)
  }

  it('may have been delivered: it waits for the caps, and says why', async () => {
    const { at } = await withRelay()
    const began = at.clock.now()
    await dieWith(at)
    expect(await deliver(at)).toMatchObject({ claimed: 1, sent: 0 })
    expect(await outboxOf(at)).toMatchObject([
      { attempts: 1, notBefore: began + 10 * MINUTE, lastError: expect.stringMatching(/may have been delivered/) },
    ])
    at.clock.advance(10 * MINUTE)
    expect((await deliver(at)).sent).toBe(1)
  })

  it('is written again at once where that makes no copy', async () => {
    const { at } = await withMail()
    await dieWith(at)
    expect(await deliver(at)).toMatchObject({ claimed: 1, sent: 1 })
    expect(mailsOf(at)).toHaveLength(1)
  })
})

describe('a mail that another worker has taken over', () => {
  it('is gone when the first one knows that it was delivered', async () => {
    const { at, tries } = await withRelay()
    at.transport.otherSide = async () => {
      tries.push(at.clock.now())
      at.clock.advance(DELIVERY_LEASE)
      expect(await anotherWorker(at).execute({ limit: 9 })).toMatchObject({ claimed: 1, sent: 0 })
    }
    expect((await deliver(at)).sent).toBe(1)
    expect(await outboxOf(at)).toEqual([])
    await lets(at, DAY, 10 * MINUTE)
    expect(tries).toHaveLength(1)
  })
})

describe('the worker', () => {
  it('is at work while all it can send at once is on the way, however long the relay takes', async () => {
    const { at } = await withRelay()
    for (let n = 0; n < 9; n++) await subscribe(at, `a${n}@example.com`)
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    at.transport.otherSide = () => held
    const round = deliver(at)
    await new Promise((resolve) => setTimeout(resolve))
    at.clock.advance(9 * MINUTE)
    expect(at.useCases.deliverOutbox.lastRound).toBe(at.clock.now())
    letGo()
    await round
    failWith(at, UNANSWERED)
  })
})
