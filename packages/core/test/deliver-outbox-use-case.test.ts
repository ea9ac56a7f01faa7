import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MINUTE, Unavailable } from '../src/index.ts'
import { Outcomes } from '../src/outbox/outcomes.ts'
import { ADMIN, deliver, mailsOf, outboxOf, subscribe } from './cast.ts'
import { EMAIL, heal, kept, REFUSED, withMail } from './deliveries.ts'

describe('delivering the outbox', () => {
  it('does nothing where nothing is due', async () => {
    expect(await deliver(openMemoryService())).toEqual({ claimed: 0, sent: 0, failures: [] })
  })

  it('sends what is due once, and remembers what the transport keeps', async () => {
    const { at, id } = await withMail()
    expect(await deliver(at)).toEqual({ claimed: 1, sent: 1, failures: [] })
    expect(await deliver(at)).toEqual({ claimed: 0, sent: 0, failures: [] })
    expect(mailsOf(at)).toHaveLength(1)
    expect(await kept(at, id)).toEqual([mailsOf(at)[0]?.messageId])
    expect(mailsOf(at)[0]?.messageId).toMatch(new RegExp(`^${id.toString(36)}\\.[0-9a-f]{24}@rollcall\\.example$`))
  })

  it.each([
    [
      'throws at once',
      () => {
        throw new Error('closed')
      },
      1,
    ],
    ['returns nothing', () => undefined as never, 0],
  ])('goes on if the transport of a host %s', async (_how, send, failures) => {
    const { at } = await withMail()
    at.transport.send = send
    const round = await deliver(at)
    expect([round.claimed, round.failures.length]).toEqual([1, failures])
  })

  it('sends to the address as submitted, its domain as A-labels, in the language of the subscription', async () => {
    const at = openMemoryService()
    await subscribe(at, "O'Hara@BÜCHER.example", { locale: 'de' })
    await deliver(at)
    expect(mailsOf(at)).toMatchObject([{ to: "O'Hara@xn--bcher-kva.example", locale: 'de' }])
  })

  it('sends no more than the limit at once, and no more at a time than the transport takes', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 20; n++) await subscribe(at, `a${n}@example.com`)
    let [now, most] = [0, 0]
    at.transport.otherSide = async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve))
      now--
    }
    expect(await deliver(at, 15)).toMatchObject({ claimed: 15, sent: 15 })
    expect(await deliver(at, 15)).toMatchObject({ claimed: 5, sent: 5 })
    expect(most).toBe(at.transport.concurrency)
  })

  it('begins no further mail once it is asked to stop, and gives back what it had claimed as if it never had', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 20; n++) await subscribe(at, `a${n}@example.com`)
    const stop = new AbortController()
    at.transport.otherSide = async () => {
      stop.abort()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const round = await at.useCases.deliverOutbox.execute({ limit: 20, stop: stop.signal })
    expect(round.sent).toBeLessThanOrEqual(at.transport.concurrency)
    const { items } = await at.storage.readers.outbox.list({ after: 0, limit: 100 })
    expect(items).toHaveLength(20 - round.sent)
    expect(items.every(({ attempts }) => attempts === 0)).toBe(true)
    heal(at)
    expect(await deliver(at, 20)).toMatchObject({ sent: 20 - round.sent })
  })

  it('begins no mail while twice as many as it can send at once are sent, but not written down', async () => {
    const at = openMemoryService()
    for (let n = 0; n < 20; n++) await subscribe(at, `a${n}@example.com`)
    let begun = 0
    at.transport.otherSide = async () => {
      begun++
      const { items } = await at.storage.readers.outbox.list({ after: 0, limit: 100 })
      expect(begun - (20 - items.length)).toBeLessThanOrEqual(3 * at.transport.concurrency)
    }
    expect(await deliver(at, 20)).toMatchObject({ sent: 20, failures: [] })
  })

  it('reports when it last came to the end of a round', async () => {
    const { at } = await withMail()
    expect(at.useCases.deliverOutbox.lastRound).toBeUndefined()
    await deliver(at)
    expect(at.useCases.deliverOutbox.lastRound).toBe(at.clock.now())
  })
})

describe('one bad mail', () => {
  it('stops no other', async () => {
    const at = openMemoryService()
    for (const name of ['a', 'bad', 'c', 'worse', 'e']) await subscribe(at, `${name}@example.com`)
    at.transport.otherSide = async ({ to }) => {
      if (to.startsWith('bad')) throw new Error('busy')
      if (to.startsWith('worse')) throw REFUSED
    }
    expect(await deliver(at)).toMatchObject({ claimed: 5, sent: 3, failures: [{ parked: false }, { parked: true }] })
    expect(mailsOf(at).map(({ to }) => to[0])).toEqual(['a', 'c', 'e'])
  })
})

describe('outcomes', () => {
  const refusing = (refuses: (ids: readonly string[]) => Error | undefined) => {
    const outcomes = new Outcomes<string>()
    const stored: string[] = []
    const settings = { refuses }
    const write = (...ids: string[]) =>
      outcomes.write(
        ids.map((id) => ({ id, is: id === 'parked' ? 'parked' : 'sent' })),
        async (some) => {
          const error = settings.refuses(some.map(({ id }) => id))
          if (error !== undefined) throw error
          stored.push(...some.map(({ id }) => id))
          return some.filter(({ is }) => is === 'parked').map(({ id }) => id)
        },
      )
    return { outcomes, stored, settings, write }
  }
  const trouble = new RangeError('too long')

  it.each([
    ['bad', 'a', 'parked'],
    ['a', 'bad', 'parked'],
    ['a', 'parked', 'bad'],
  ])('are stored, but for the one that storage does not take, which is tried again: %s, %s, %s', async (...ids) => {
    const { outcomes, stored, settings, write } = refusing((some) => (some.includes('bad') ? trouble : undefined))
    expect(await write(...ids)).toBe(false)
    expect(stored).toEqual(['a', 'parked'])
    expect(outcomes.report()).toEqual({ sent: 1, failures: ['parked'], trouble })
    settings.refuses = () => undefined
    await outcomes.writeDown()
    expect(stored).toEqual(['a', 'parked', 'bad'])
    expect(outcomes.report()).toEqual({ sent: 1, failures: [], trouble: undefined })
  })

  it('are stored one by one if storage does not take them together', async () => {
    const { outcomes, write } = refusing((some) => (some.length > 1 ? trouble : undefined))
    expect(await write('a', 'b', 'c')).toBe(true)
    expect(outcomes.report()).toEqual({ sent: 3, failures: [], trouble: undefined })
  })

  it('wait together while there is no storage', async () => {
    const asked: (readonly string[])[] = []
    const { write } = refusing((some) => {
      asked.push(some)
      return new Unavailable()
    })
    expect(await write('a', 'b')).toBe(false)
    expect(asked).toEqual([['a', 'b']])
  })
})

describe('the caps on mails to one address', () => {
  it('hold back the mail of a second feed until it is allowed, without counting an attempt', async () => {
    const { at } = await withMail()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, EMAIL.toUpperCase(), { feed: 'news' })
    expect(await deliver(at)).toMatchObject({ claimed: 2, sent: 1, failures: [] })
    expect(await outboxOf(at)).toMatchObject([{ attempts: 0, notBefore: at.clock.now() + 10 * MINUTE }])
    at.clock.advance(10 * MINUTE - 1)
    expect((await deliver(at)).claimed).toBe(0)
    at.clock.advance(1)
    expect((await deliver(at)).sent).toBe(1)
    expect(mailsOf(at).map(({ feed }) => feed.name)).toEqual(['default', 'news'])
  })
})
