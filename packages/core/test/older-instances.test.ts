import { describe, expect, it, vi } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MINUTE, requireNoOlderInstance, Unavailable } from '../src/index.ts'
import { ADMIN, confirm, deliver, lastMailOf, mailsOf, type Service, SOURCE, stored, tokenIn } from './cast.ts'

const saying = (present: boolean) => ({ olderInstances: { present: async () => present } })

describe('what the release before would not honour', () => {
  it('is refused while an instance of it is there, with what to do', async () => {
    const error = await requireNoOlderInstance(saying(true)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toMatchObject({ name: 'Unavailable', unsure: false, retryAfter: 30_000 })
    expect((error as Error).message).toMatch(/instance of the release before is running.*Nothing was changed; stop/)
  })

  it('is done where none is there, or none can be', async () => {
    await requireNoOlderInstance(saying(false))
    await requireNoOlderInstance({})
  })

  it('is refused where that cannot be found out', async () => {
    const olderInstances = {
      present: async () => {
        throw new Unavailable()
      },
    }
    await expect(requireNoOlderInstance({ olderInstances })).rejects.toBeInstanceOf(Unavailable)
  })
})

describe('a mail about several feeds that the release before sends', () => {
  const FEEDS = ['weekly', 'daily']

  /** By a worker that does not look at forms for several feeds. */
  const deliverAsBefore = async (at: Service) => {
    const run = at.storage.unitOfWork.run.bind(at.storage.unitOfWork)
    const spy = vi.spyOn(at.storage.unitOfWork, 'run').mockImplementation((work) =>
      run((stores) => {
        const claim: typeof stores.outbox.claim = async (order) =>
          (await stores.outbox.claim(order)).map(({ signUpGroup: _, ...entry }) => entry)
        return work({ ...stores, outbox: { ...stores.outbox, claim } })
      }),
    )
    await deliver(at)
    spy.mockRestore()
  }

  it('confirms the one feed that it names, and nothing that its reader was not asked; the next form asks for the rest', async () => {
    const at = openMemoryService()
    for (const name of FEEDS) await at.useCases.putFeed.execute({ name }, ADMIN)
    const signUp = () =>
      at.useCases.subscribeToFeeds.execute({ email: 'ada@example.com', feeds: FEEDS, source: SOURCE })
    const ids = (await signUp()).subscriptions.map(({ id }) => id)
    const statuses = async () => {
      const found = await Promise.all(ids.map((id) => stored(at, id)))
      return found.map(({ status }) => status)
    }
    await deliverAsBefore(at)
    expect(lastMailOf(at)).toMatchObject({ kind: 'confirmation', feed: { name: 'weekly' } })
    expect(lastMailOf(at)).not.toHaveProperty('feeds')
    await confirm(at, tokenIn(lastMailOf(at), 'confirm'))
    expect(await statuses()).toEqual(['confirmed', 'pending'])
    at.clock.advance(10 * MINUTE)
    await signUp()
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(2)
    await confirm(at, tokenIn(lastMailOf(at), 'confirm'))
    expect(await statuses()).toEqual(['confirmed', 'confirmed'])
  })
})
