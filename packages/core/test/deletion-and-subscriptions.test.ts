import { describe, expect, it } from 'vitest'
import { DAY } from '../src/index.ts'
import { ADMIN, confirm, deliver, mailedToken, mailsOf, outboxOf, stored, subscribe } from './cast.ts'
import { EMAIL, remove, withAda } from './deletions.ts'

describe('deleting a user who has subscriptions', () => {
  const subscribed = async () => {
    const at = await withAda()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    const first = await subscribe(at, EMAIL.toUpperCase())
    await confirm(at, await mailedToken(at, 'confirm'))
    at.clock.advance(DAY)
    const second = await subscribe(at, EMAIL, { feed: 'news' })
    const other = await subscribe(at, 'bob@example.com')
    return { at, first, second, other }
  }

  it('keeps them, unless their erasure is asked for, and says so', async () => {
    const { at, first, second } = await subscribed()
    expect(await remove(at)).toEqual({ userId: 'ada', subscriptionsErased: 0, subscriptionsKept: 2 })
    expect((await stored(at, first.id)).status).toBe('confirmed')
    expect((await stored(at, second.id)).status).toBe('pending')
    expect(await outboxOf(at)).toHaveLength(2)
  })

  it('erases them on all feeds, with what waits in the outbox and what the transport kept, and nothing of others', async () => {
    const { at, first, second, other } = await subscribed()
    const report = await remove(at, 'ada', ADMIN, { subscriptions: 'erase' })
    expect(report).toEqual({ userId: 'ada', subscriptionsErased: 2, subscriptionsKept: 0 })
    for (const { id } of [first, second]) await expect(stored(at, id)).rejects.toThrow()
    expect(mailsOf(at)).toEqual([])
    expect((await outboxOf(at)).map(({ subscriptionId }) => subscriptionId)).toEqual([other.id])
  })

  it('asks the transport to forget a mail that is being tried again, too', async () => {
    const { at } = await subscribed()
    at.transport.otherSide = async () => {
      throw new Error('busy')
    }
    await deliver(at)
    const waiting = (await outboxOf(at))[0]?.messageId
    const forgotten: string[] = []
    at.transport.forget = async (ids) => {
      forgotten.push(...ids)
    }
    await remove(at, 'ada', ADMIN, { subscriptions: 'erase' })
    expect(forgotten).toContain(waiting)
    expect(forgotten).toHaveLength(2)
  })

  it('is done, whatever the transport of a host says of what it kept', async () => {
    const { at } = await subscribed()
    at.transport.forget = () => {
      throw new Error('gone')
    }
    expect((await remove(at, 'ada', ADMIN, { subscriptions: 'erase' })).subscriptionsErased).toBe(2)
  })

  it('looks through all feeds, however many', async () => {
    const at = await withAda()
    for (let n = 0; n < 205; n++) await at.useCases.putFeed.execute({ name: `feed-${n}` }, ADMIN)
    await subscribe(at, EMAIL, { feed: 'feed-204' })
    expect((await remove(at)).subscriptionsKept).toBe(1)
  })
})
