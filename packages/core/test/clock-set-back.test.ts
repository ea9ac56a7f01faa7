import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, HOUR, MailRefusedPermanently, MINUTE } from '../src/index.ts'
import { ADMIN, confirm, deliver, lastMailOf, mailedToken, mailsOf, outboxOf, type Service, subscribe } from './cast.ts'
import { failWith, heal } from './deliveries.ts'
import { askToMove, NEW } from './moves.ts'
import { ask, change, deedsOf, EMAIL, linkOf, withThree } from './preferences.ts'

const setBack = ({ clock }: Service): void => clock.advance(-365 * DAY)

/** How many mails come of asking twice: right after the clock was set back, and later. */
const mailsAfter = async (at: Service, span: number, asking: () => Promise<unknown>): Promise<number[]> => {
  const before = mailsOf(at).length
  const counts: number[] = []
  for (const wait of [0, span]) {
    at.clock.advance(wait)
    await asking()
    await deliver(at)
    counts.push(mailsOf(at).length - before)
  }
  return counts
}

describe('once the clock was set back', () => {
  it('the caps hold copies back for no longer than they would', async () => {
    const { at } = await withThree()
    await subscribe(at, EMAIL)
    await deliver(at)
    setBack(at)
    expect(await mailsAfter(at, 7 * DAY, () => subscribe(at, EMAIL))).toEqual([0, 1])
    expect(lastMailOf(at).kind).toBe('already-subscribed')
  })

  it('nor the copy of a mail to the new address of a move', async () => {
    const { at } = await withThree()
    await askToMove(at, await linkOf(at))
    await deliver(at)
    setBack(at)
    // The first waits for the caps of the old address.
    await linkOf(at)
    const preferences = await linkOf(at)
    expect(await mailsAfter(at, 10 * MINUTE, () => askToMove(at, preferences))).toEqual([0, 1])
    expect(lastMailOf(at)).toMatchObject({ kind: 'move', to: NEW })
  })

  it('a mail that was given up keeps none from its reader', async () => {
    const at = openMemoryService()
    failWith(at, new MailRefusedPermanently('554 no relay'))
    await subscribe(at, EMAIL)
    await deliver(at)
    heal(at)
    setBack(at)
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL)
    await deliver(at)
    expect(lastMailOf(at).kind).toBe('confirmation')
  })

  it('who wants no mail has the link again after 30 days', async () => {
    const { at } = await withThree()
    await change(at, await linkOf(at), 'never-again')
    await linkOf(at)
    setBack(at)
    await ask(at)
    expect(await outboxOf(at)).toEqual([])
    at.clock.advance(30 * DAY)
    await ask(at)
    expect(await outboxOf(at)).toMatchObject([{ kind: 'preferences' }])
  })

  it('a mailbox is reminded again after 30 days, and the caps hold no reminder back for good', async () => {
    const at = openMemoryService({ linkLife: 90 * DAY })
    for (const name of ['one', 'two']) await at.useCases.putFeed.execute({ name, remindAfter: '1d' }, ADMIN)
    const reminded = async (feed: string, wait: number): Promise<number> => {
      await subscribe(at, EMAIL, { feed })
      await deliver(at)
      for (const span of [DAY, wait]) {
        at.clock.advance(span)
        await at.useCases.queueReminders.execute()
        await deliver(at)
      }
      return mailsOf(at).filter(({ kind }) => kind === 'reminder').length
    }
    expect(await reminded('one', 0)).toBe(1)
    setBack(at)
    expect(await reminded('two', DAY)).toBe(1)
    at.clock.advance(30 * DAY)
    await at.useCases.putFeed.execute({ name: 'three', remindAfter: '1d' }, ADMIN)
    expect(await reminded('three', 7 * DAY)).toBe(2)
  })

  it('what is asked again is another request', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    await confirm(at, await mailedToken(at, 'confirm'))
    await subscribe(at, EMAIL)
    setBack(at)
    await subscribe(at, EMAIL)
    expect(await deedsOf(at, id)).toEqual([
      'requested via form',
      'confirmed via form',
      'requested via form',
      'requested via form',
    ])
  })
})
