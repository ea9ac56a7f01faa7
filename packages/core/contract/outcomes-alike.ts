import { expect, it } from 'vitest'
import { MemoryClock } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import {
  addressHash,
  createUseCases,
  DAY,
  type FeedName,
  HOUR,
  LinkTokens,
  MINUTE,
  subscriptionIdentity,
} from '../src/index.ts'
import { aFeed, aField } from './samples.ts'
import { type StorageUnderTest, storageSuite } from './storage-under-test.ts'

const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

/** What is asked of a storage, by name, in the order of the names. */
const asked = async (
  { unitOfWork, readers }: Pick<StorageUnderTest, 'unitOfWork' | 'readers'>,
  call: (noting: Pick<StorageUnderTest, 'unitOfWork' | 'readers'>) => Promise<void>,
): Promise<readonly string[]> => {
  const names: string[] = []
  const noting = <Stores extends object>(stores: Stores): Stores =>
    new Proxy(stores, {
      get: (_, name) => {
        const store: unknown = Reflect.get(stores, name)
        if (typeof store !== 'object' || store === null) return store
        return new Proxy(store, {
          get: (_, method) => {
            names.push(`${String(name)}.${String(method)}`)
            return Reflect.get(store, method)
          },
        })
      },
    })
  await call({
    unitOfWork: { run: (work) => unitOfWork.run((stores) => work(noting(stores))) },
    readers: noting(readers),
  })
  // A unit may be run more than once.
  return [...new Set(names)].sort()
}

/** All that a sign-up, or a request for a link, may ask for: nothing of it depends on the address. */
const NOTHING_OF_THE_ADDRESS = ['feeds.find', 'requests.add', 'requests.backlog', 'subscriptions.displaced']

export const outcomesAlikeContract = storageSuite('what is known of an address', ({ unitOfWork, readers }) => {
  const FEEDS = ['default', 'other']
  const withAddresses = async (feeds?: readonly string[]) => {
    const ports = memoryPorts(new MemoryClock(Date.now() - 60 * MINUTE))
    const worker = { isAtWork: async () => true, moment: async () => undefined }
    const useCasesOver = (storage: Pick<StorageUnderTest, 'unitOfWork' | 'readers'>) =>
      createUseCases({ ...ports, ...storage, requestWorker: worker }, MEMORY_SETTINGS)
    const { subscribe, deliverOutbox, queueReminders, confirmSubscription, refuseSubscription } = createUseCases(
      { ...ports, unitOfWork, readers },
      MEMORY_SETTINGS,
    )
    const field = aField('company', { stored: true })
    await unitOfWork.run(async (stores) => {
      for (const name of FEEDS) await stores.feeds.put(aFeed(name, { fields: [field], remindAfter: HOUR }))
    })
    const signUp = async (name: string): Promise<unknown> => {
      const form = { email: `${name}@example.com`, source: SOURCE }
      return await (feeds === undefined ? subscribe.execute(form) : subscribe.execute({ ...form, feeds }))
    }
    const follow = async (name: string, link: 'confirm' | 'refuse') => {
      const { links } = ports.transport.mails.find(({ to }) => to === `${name}@example.com`) ?? {}
      const token = links?.[link]?.split('/').at(-1) ?? ''
      await (link === 'confirm' ? confirmSubscription : refuseSubscription).execute({ token, source: SOURCE })
    }
    const bounce = async (name: string) => {
      const address = addressHash(ports.digests, `${name}@example.com`)
      const found = { status: '5.1.1', days: [], subscription: undefined, expiresAt: ports.clock.now() + DAY }
      await unitOfWork.run(({ deliverability }) =>
        deliverability.put(address, { ...found, state: 'undeliverable', since: ports.clock.now() }),
      )
    }
    const idsOf = (name: string) =>
      unitOfWork.run(async ({ subscriptions }) => {
        const identities = FEEDS.map((feed) =>
          subscriptionIdentity(ports.digests, feed as FeedName, `${name}@example.com`),
        )
        return (await Promise.all(identities.map((one) => subscriptions.locate(one)))).map(({ id }) => id)
      })
    const early = ['suppressed', 'confirmed', 'pending', 'undeliverable', 'reminded']
    for (const name of early) await signUp(name)
    await deliverOutbox.execute({ limit: 10 })
    await follow('suppressed', 'refuse')
    await follow('confirmed', 'confirm')
    await bounce('undeliverable')
    const isReminded = await idsOf('reminded')
    await unitOfWork.run(async ({ reminders }) => {
      const due = await reminders.due(Number.MAX_SAFE_INTEGER, 10)
      for (const { id } of due) if (!isReminded.includes(id)) await reminders.cancel(id)
    })
    ports.clock.advance(HOUR)
    await signUp('capped')
    await deliverOutbox.execute({ limit: 10 })
    // It waits in the outbox from then on.
    expect((await queueReminders.execute()).queued).toBe(1)
    await signUp('waiting')
    const links = new LinkTokens(ports)
    return {
      asked: (call: (useCases: UseCases) => Promise<unknown>) =>
        asked({ unitOfWork, readers }, async (noting) => void (await call(useCasesOver(noting)))),
      /** The token for the preferences of a subscription that is confirmed for it. */
      preferencesToken: async (name: string) => {
        const { id } = await subscribe.execute({ email: `${name}@example.com`, source: SOURCE })
        await deliverOutbox.execute({ limit: 10 })
        await follow(name, 'confirm')
        return links.signPreferences(id, ports.clock.now() + HOUR)
      },
      manageToken: async (name: string) => {
        const { id } = await subscribe.execute({ email: `${name}@example.com`, source: SOURCE })
        return links.signId('manage', id)
      },
    }
  }
  type UseCases = ReturnType<typeof createUseCases>
  const NAMES = [
    'new',
    ...['suppressed', 'confirmed', 'pending', 'capped', 'waiting', 'reminded', 'undeliverable'],
  ] as const

  const expectAlike = async (ask: (name: string) => Promise<readonly string[]>) => {
    const [first, ...others] = NAMES
    const found = await ask(first)
    for (const name of others) expect([name, await ask(name)]).toEqual([name, found])
    return found
  }

  it.each([
    ['to one feed', { feed: 'other' }],
    ['to several feeds', { feeds: FEEDS }],
  ])('is not asked for by a sign-up %s', async (_, form) => {
    const { asked } = await withAddresses(FEEDS)
    const found = await expectAlike((name) =>
      asked(({ subscribe }) =>
        subscribe.execute({ email: `${name}@example.com`, fields: { company: 'ACME' }, source: SOURCE, ...form }),
      ),
    )
    expect(found).toEqual(NOTHING_OF_THE_ADDRESS)
  })

  it('is not asked for by a request for the link to preferences', async () => {
    const { asked } = await withAddresses()
    const found = await expectAlike((name) =>
      asked(({ requestPreferences }) => requestPreferences.execute({ email: `${name}@example.com` })),
    )
    expect(NOTHING_OF_THE_ADDRESS).toEqual(expect.arrayContaining([...found]))
  })

  it('is not asked for by the link to manage a subscription', async () => {
    const { asked, manageToken } = await withAddresses()
    const tokens = new Map<string, string>()
    for (const name of NAMES) tokens.set(name, await manageToken(name))
    const found = await expectAlike((name) =>
      asked(({ mailPreferences }) => mailPreferences.execute({ token: tokens.get(name) ?? '' })),
    )
    expect(NOTHING_OF_THE_ADDRESS).toEqual(expect.arrayContaining([...found]))
  })

  it('changes nothing of what a request for a change to the address asks for', async () => {
    const { asked, preferencesToken } = await withAddresses()
    const owners = new Map<string, string>()
    for (const name of NAMES) owners.set(name, await preferencesToken(`owner-${name}`))
    await expectAlike((name) =>
      asked(({ requestMove }) => requestMove.execute({ token: owners.get(name) ?? '', email: `${name}@example.com` })),
    )
  })
})
