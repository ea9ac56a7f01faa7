import { describe, expect, it } from 'vitest'
import { MemoryClock, openMemoryService } from '../memory/index.ts'
import { createUseCases, DAY, HOUR, InvalidInput } from '../src/index.ts'
import { ADMIN, confirm, deliver, mailedToken, mailsOf, putUser, stored, subscribe } from './cast.ts'
import { askToMove, carryOut, subscriptionsOf, tokenOf } from './moves.ts'
import { EMAIL, linkOf } from './preferences.ts'

/** A service whose clock can jump, while another goes on as before. */
const withSteadyClock = () => {
  const service = openMemoryService()
  const jumpGuardedClock = new MemoryClock(service.clock.now())
  const settings = { publicUrl: 'https://rollcall.example', linkLife: 7 * DAY, deleteGrace: HOUR }
  const useCases = createUseCases({ ...service.ports, jumpGuardedClock }, settings)
  return { ...service, useCases, jumpGuardedClock }
}

describe('a clock that jumps ahead by a year, and is set back', () => {
  it('has removed no pending subscription, and no mail that is due', async () => {
    const at = withSteadyClock()
    const { id } = await subscribe(at, 'ada@example.com')
    at.clock.advance(365 * DAY)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 0, more: false })
    await deliver(at)
    at.clock.advance(-365 * DAY)
    expect((await stored(at, id)).status).toBe('pending')
    expect(mailsOf(at).map(({ to }) => to)).toEqual(['ada@example.com'])
  })

  it('has erased no user whose deletion can be undone', async () => {
    const at = withSteadyClock()
    await putUser(at, 'ada')
    await at.useCases.deleteUser.execute({ userId: 'ada', reason: '' }, ADMIN)
    at.clock.advance(365 * DAY)
    expect(await at.useCases.eraseHeldUsers.execute()).toEqual({ count: 0, more: false })
    at.clock.advance(-365 * DAY)
    await at.useCases.restoreUser.execute({ userId: 'ada' }, ADMIN)
    expect((await at.useCases.getUser.execute({ userId: 'ada' }, ADMIN)).id).toBe('ada')
  })

  it('has finished no change of address that can be undone, also where the next is asked for', async () => {
    const at = withSteadyClock()
    const confirmed = async (feed?: string): Promise<void> => {
      at.clock.advance(HOUR)
      await subscribe(at, EMAIL, { feed })
      await confirm(at, await mailedToken(at, 'confirm'))
    }
    await at.useCases.putFeed.execute({ name: 'others' }, ADMIN)
    await confirmed()
    await askToMove(at, await linkOf(at))
    await deliver(at)
    await carryOut(at, tokenOf(at, 'move'))
    await confirmed('others')
    at.clock.advance(365 * DAY)
    await expect(askToMove(at, await linkOf(at), 'third@example.org')).rejects.toThrow(InvalidInput)
    expect((await subscriptionsOf(at)).default).toMatchObject({ status: 'ended' })
    at.jumpGuardedClock.advance(30 * DAY)
    await askToMove(at, await linkOf(at), 'third@example.org')
    expect((await subscriptionsOf(at)).default).toBeUndefined()
  })

  it('removes what is too old by the steady clock', async () => {
    const at = withSteadyClock()
    await subscribe(at, 'ada@example.com')
    for (const clock of [at.clock, at.jumpGuardedClock]) clock.advance(7 * DAY)
    expect(await at.useCases.expireSubscriptions.execute()).toEqual({ count: 1, more: false })
  })
})
