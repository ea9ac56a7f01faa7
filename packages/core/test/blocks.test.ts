import { describe, expect, it } from 'vitest'
import { AddressSuppressed, InvalidInput, SuppressionNotFound } from '../src/index.ts'
import { ADMIN, deliver, mailedToken, mailsOf, refuse, type Service, stored, subscribe } from './cast.ts'
import { change, EMAIL, eventsFrom, eventsOf, linkOf, show, statuses, suppressionOf, withThree } from './preferences.ts'
import { block } from './recipients.ts'

const lift = (at: Service, cause?: string, address = EMAIL) =>
  at.useCases.liftSuppression.execute({ address, cause }, ADMIN)

/** A link to the preferences of an address that was blocked after it was mailed. */
const withBlock = async () => {
  const { at, ids } = await withThree()
  const token = await linkOf(at)
  await block(at, EMAIL)
  return { at, ids, token }
}

describe('a blocked address', () => {
  it('keeps its subscriptions, which say so in events with their feed, once each; one that has ended says nothing', async () => {
    const { at, ids } = await withThree()
    const news = await eventsFrom(at, () => block(at, EMAIL))
    expect(news).toEqual([`subscription.blocked ${ids.default}`, `subscription.blocked ${ids.news}`])
    const { items } = await at.storage.readers.events.list({ after: 0, limit: 200 })
    expect(items.slice(-2).map(({ feed }) => feed)).toEqual(['default', 'news'])
    expect((await stored(at, ids.default)).status).toBe('confirmed')
    expect(await eventsFrom(at, () => block(at, EMAIL, 'complaint'))).toEqual([])
    expect(await suppressionOf(at)).toMatchObject({ cause: 'complaint', block: { cause: 'complaint' } })
  })

  it('is blocked with its mailbox, and the plain address says so in events, too', async () => {
    const { at, ids } = await withThree()
    expect(await eventsFrom(at, () => block(at, 'ada+shop@example.com'))).toEqual([
      `subscription.blocked ${ids.default}`,
      `subscription.blocked ${ids.news}`,
    ])
    expect(await suppressionOf(at)).toMatchObject({ cause: 'blocked' })
  })

  it('gets no mail of ours: what waits is not sent, and a sign-up brings none', async () => {
    const { at } = await withThree()
    await subscribe(at, EMAIL, { feed: 'others' })
    const before = mailsOf(at).length
    await block(at, EMAIL)
    at.clock.advance(24 * 3_600_000)
    await subscribe(at, EMAIL, { feed: 'offers' })
    await at.useCases.requestPreferences.execute({ email: EMAIL })
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(before)
  })

  it('cannot be confirmed on behalf of its owner', async () => {
    const { at, ids } = await withThree()
    await block(at, EMAIL)
    const command = { subscriptionId: String(ids.news), reason: 'on paper' }
    await expect(at.useCases.confirmOnBehalf.execute(command, ADMIN)).rejects.toBeInstanceOf(AddressSuppressed)
  })

  it('stays blocked whatever its owner does on the page of its preferences', async () => {
    const { at, token } = await withBlock()
    const refusal = { details: [{ field: 'action', message: expect.stringContaining('Only an operator') }] }
    await expect(change(at, token, 'allow')).rejects.toMatchObject(refusal)
    await expect(change(at, token, 'subscribe', { feed: 'offers' })).rejects.toMatchObject(refusal)
    await change(at, token, 'never-again')
    await change(at, token, 'allow')
    expect(await suppressionOf(at)).toMatchObject({ cause: 'blocked', block: { cause: 'blocked' } })
    expect((await show(at, token)).suppression).toMatchObject({ cause: 'blocked' })
    expect(Object.values(await statuses(at, token))).toEqual(['ended', 'ended', 'ended'])
  })
})

describe('lifting', () => {
  it('of a block lets mails go again, and the subscriptions of the address say so', async () => {
    const { at, ids } = await withThree()
    await block(at, EMAIL)
    expect(await eventsFrom(at, () => lift(at))).toEqual([
      `subscription.unblocked ${ids.default}`,
      `subscription.unblocked ${ids.news}`,
    ])
    expect(await suppressionOf(at)).toBeUndefined()
  })

  it('by hash alone says nothing of subscriptions: a hash does not say whose they are', async () => {
    const { at } = await withThree()
    await block(at, EMAIL)
    const [known] = (await at.useCases.listSuppressions.execute({}, ADMIN)).items
    expect(await eventsFrom(at, () => lift(at, undefined, known?.address))).toEqual([])
    expect(await suppressionOf(at)).toBeUndefined()
  })

  const both = async () => {
    const { at } = await withThree()
    await subscribe(at, EMAIL, { feed: 'others' })
    await refuse(at, await mailedToken(at, 'refuse'))
    await block(at, EMAIL)
    return at
  }

  it('asks which of two causes, and leaves the other', async () => {
    const at = await both()
    await expect(lift(at)).rejects.toBeInstanceOf(InvalidInput)
    await expect(lift(at)).rejects.toMatchObject({ details: [{ field: 'cause' }] })
    await lift(at, 'blocked')
    expect(await suppressionOf(at)).toEqual(expect.objectContaining({ cause: 'refused', block: undefined }))
    const again = await both()
    const before = (await eventsOf(again)).length
    await lift(again, 'refused')
    expect(await suppressionOf(again)).toMatchObject({ cause: 'blocked', block: { cause: 'blocked' } })
    expect(await eventsOf(again)).toHaveLength(before)
    await block(again, EMAIL, 'complaint')
    await lift(again, 'all')
    expect(await suppressionOf(again)).toBeUndefined()
  })

  it('finds no other cause than the one that is named, and no cause of another name', async () => {
    const at = await both()
    for (const cause of ['complaint', 'never-again'])
      await expect(lift(at, cause)).rejects.toBeInstanceOf(SuppressionNotFound)
    await expect(lift(at, 'bounce')).rejects.toBeInstanceOf(InvalidInput)
    expect(await suppressionOf(at)).toMatchObject({ cause: 'refused', block: { cause: 'blocked' } })
  })
})
