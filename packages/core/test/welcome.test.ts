import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, HOUR, MINUTE, publishedStats } from '../src/index.ts'
import { ADMIN, confirm, deliver, lastMailOf, mailedToken, mailsOf, outboxOf, subscribe, unsubscribe } from './cast.ts'
import { EMAIL } from './deliveries.ts'
import { undo, withMove } from './moves.ts'
import { confirmedRow, importFile } from './transfers.ts'

const kindsOf = (at: ReturnType<typeof openMemoryService>) => mailsOf(at).map(({ kind }) => kind)

const welcoming = async (welcome = true) => {
  const at = openMemoryService()
  await at.useCases.patchFeed.execute({ name: 'default', welcome }, ADMIN)
  return at
}

/** A subscription whose owner has just followed the link. */
const confirmed = async (welcome = true) => {
  const at = await welcoming(welcome)
  const { id } = await subscribe(at, EMAIL)
  const token = await mailedToken(at, 'confirm')
  await confirm(at, token)
  return { at, id, token }
}

describe('a welcome mail', () => {
  it('is off by default', async () => {
    const { at } = await confirmed(false)
    expect(await outboxOf(at)).toEqual([])
  })

  it('follows a confirmation once, within the caps, and can be answered by one click', async () => {
    const { at, token } = await confirmed()
    await confirm(at, token)
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation'])
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation', 'welcome'])
    const { links, expiresAt } = lastMailOf(at)
    expect(links).toMatchObject({
      confirm: undefined,
      refuse: undefined,
      unsubscribe: expect.stringContaining('/unsubscribe/'),
    })
    expect(expiresAt).toBeUndefined()
    await confirm(at, token)
    at.clock.advance(DAY)
    await deliver(at)
    expect(kindsOf(at)).toHaveLength(2)
    const { periods } = publishedStats(await at.useCases.showStats.execute({}, ADMIN))
    expect(periods.map(({ mailed }) => mailed).filter((count) => count > 0)).toEqual([1])
  })

  it('counts for the caps of mails after it', async () => {
    const { at } = await confirmed()
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    at.clock.advance(9 * MINUTE)
    expect(await subscribe(at, EMAIL)).toBeDefined()
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation', 'welcome'])
  })

  it('is taken back with its subscription', async () => {
    const { at, id } = await confirmed()
    expect(await outboxOf(at)).toMatchObject([{ kind: 'welcome', subscriptionId: id }])
    await unsubscribe(at, lastMailOf(at).links.unsubscribe?.split('/').at(-1) ?? '')
    expect(await outboxOf(at)).toEqual([])
  })

  it('is taken back by an erasure', async () => {
    const { at, id } = await confirmed()
    await at.useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)
    expect(await outboxOf(at)).toEqual([])
  })

  it('is not sent once the feed has turned it off', async () => {
    const { at } = await confirmed()
    await at.useCases.patchFeed.execute({ name: 'default', welcome: false }, ADMIN)
    at.clock.advance(HOUR)
    await deliver(at)
    expect(kindsOf(at)).toEqual(['confirmation'])
    expect(await outboxOf(at)).toEqual([])
  })

  it('follows each confirmation: on behalf, and of a new life', async () => {
    const at = await welcoming()
    const { id } = await subscribe(at, EMAIL)
    const command = { subscriptionId: String(id), reason: 'on paper' }
    await at.useCases.confirmOnBehalf.execute(command, ADMIN)
    expect(await outboxOf(at)).toMatchObject([{ kind: 'welcome' }])
    await deliver(at)
    await at.useCases.endOnBehalf.execute(command, ADMIN)
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL)
    await confirm(at, await mailedToken(at, 'confirm'))
    expect(await outboxOf(at)).toMatchObject([{ kind: 'welcome' }])
  })

  it('comes for each feed of a form, one after the other', async () => {
    const at = await welcoming()
    for (const name of ['a', 'b']) await at.useCases.putFeed.execute({ name, welcome: name === 'a' }, ADMIN)
    await subscribe(at, EMAIL, { feeds: ['default', 'a', 'b'] })
    await confirm(at, await mailedToken(at, 'confirm'))
    expect((await outboxOf(at)).map(({ kind }) => kind)).toEqual(['welcome', 'welcome'])
    for (let n = 0; n < 3; n++) {
      at.clock.advance(10 * MINUTE)
      await deliver(at)
    }
    expect(kindsOf(at)).toEqual(['confirmation', 'welcome', 'welcome'])
  })

  it('is not for those who are imported, or move', async () => {
    const at = await welcoming()
    const { summary } = await importFile(at, [confirmedRow('bob@example.com')])
    expect(summary).toMatchObject({ confirmed: 1 })
    expect(await outboxOf(at)).toEqual([])
    const moved = await withMove()
    await moved.at.useCases.patchFeed.execute({ name: 'default', welcome: true }, ADMIN)
    await undo(moved.at, moved.undoToken)
    expect(await outboxOf(moved.at)).toEqual([])
  })
})
