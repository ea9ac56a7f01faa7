import { expect, it } from 'vitest'
import { MemoryClock } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import {
  addressHash,
  createAllUseCases,
  DAY,
  type FeedName,
  HOUR,
  LinkTokens,
  MINUTE,
  type Stores,
  subscriptionIdentity,
  type UnitOfWork,
} from '../src/all.ts'
import { aFeed, aField } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

const WRITES = new Set(['add', 'append', 'put', 'remove', 'spend', 'write', 'countRepetition'])

interface Asked {
  readonly reads: readonly string[]
  readonly writes: number
}

/** What is asked of the stores by all units of work meanwhile. */
const counted = async (call: (within: (unitOfWork: UnitOfWork) => UnitOfWork) => Promise<void>): Promise<Asked> => {
  const names: string[] = []
  const noted = (store: object, name: string): object =>
    new Proxy(store, {
      get: (_, method) => {
        const ask = Reflect.get(store, method)
        return (...parameters: unknown[]) => {
          // A group is a row for each of its feeds.
          const rows = name === 'signUpGroups' && Array.isArray(parameters[1]) ? parameters[1].length : 1
          for (let row = 0; row < rows; row++) names.push(`${name}.${String(method)}`)
          return ask.apply(store, parameters)
        }
      },
    })
  const notedOf = (stores: Stores, name: string): object | undefined => {
    const store = Reflect.get(stores, name)
    return store && noted(store, name)
  }
  await call((unitOfWork) => ({
    run: (work) =>
      unitOfWork.run((stores) => {
        // A unit may be run more than once; only the last run counts.
        names.length = 0
        return work(new Proxy(stores, { get: (_, name) => notedOf(stores, String(name)) }) as Stores)
      }),
  }))
  const isWrite = (name: string) => WRITES.has(name.slice(name.indexOf('.') + 1))
  return { reads: names.filter((name) => !isWrite(name)).sort(), writes: names.filter(isWrite).length }
}

export const outcomesAlikeContract = storageSuite('what is known of an address', ({ unitOfWork, readers }) => {
  const FEEDS = ['default', 'other']
  const withAddresses = async (feeds?: readonly string[]) => {
    const ports = memoryPorts(new MemoryClock(Date.now() - 60 * MINUTE))
    const useCasesOver = (units: UnitOfWork) =>
      createAllUseCases({ ...ports, unitOfWork: units, readers }, MEMORY_SETTINGS)
    const { subscribe, subscribe, deliverOutbox, queueReminders, confirmSubscription, refuseSubscription } =
      useCasesOver(unitOfWork)
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
        counted(async (within) => void (await call(useCasesOver(within(unitOfWork))))),
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
  type UseCases = ReturnType<typeof createAllUseCases>
  const NAMES = [
    'new',
    ...['suppressed', 'confirmed', 'pending', 'capped', 'waiting', 'reminded', 'undeliverable'],
  ] as const

  /** What each outcome asks of the stores is what that of the first one asks. */
  const expectAlike = async (ask: (name: string) => Promise<Asked>) => {
    const [first, ...others] = NAMES
    const found = await ask(first)
    expect(found.writes).toBeGreaterThan(0)
    for (const name of others) expect([name, await ask(name)]).toEqual([name, found])
    return found
  }

  it('changes neither what a sign-up asks of the stores, nor how often it writes', async () => {
    const { asked } = await withAddresses()
    const found = await expectAlike((name) =>
      asked(({ subscribe }) => subscribe.execute({ email: `${name}@example.com`, source: SOURCE })),
    )
    expect(found.writes).toBeGreaterThan(2)
  })

  it.each([[undefined], [FEEDS]])(
    'nor what one to several feeds does, where it has the first of them, or %j',
    async (known) => {
      const { asked } = await withAddresses(known)
      const found = await expectAlike((name) =>
        asked(({ subscribe }) =>
          subscribe.execute({
            ...{ email: `${name}@example.com`, feeds: FEEDS, fields: { company: 'ACME' }, source: SOURCE },
          }),
        ),
      )
      expect(found.writes).toBe(4 * FEEDS.length + 1)
    },
  )

  it('nor what one to a feed does that was asked for with others', async () => {
    const { asked } = await withAddresses(FEEDS)
    await expectAlike((name) =>
      asked(({ subscribe }) => subscribe.execute({ email: `${name}@example.com`, feed: 'other', source: SOURCE })),
    )
  })

  it('nor what a request for the link to preferences does', async () => {
    const { asked } = await withAddresses()
    await expectAlike((name) =>
      asked(({ requestPreferences }) => requestPreferences.execute({ email: `${name}@example.com` })),
    )
  })

  it('nor what a request for a change to the address does', async () => {
    const { asked, preferencesToken } = await withAddresses()
    const owners = new Map<string, string>()
    for (const name of NAMES) owners.set(name, await preferencesToken(`owner-${name}`))
    await expectAlike((name) =>
      asked(({ requestMove }) => requestMove.execute({ token: owners.get(name) ?? '', email: `${name}@example.com` })),
    )
  })

  it('nor what the link to manage a subscription does', async () => {
    const { asked, manageToken } = await withAddresses()
    const tokens = new Map<string, string>()
    for (const name of NAMES) tokens.set(name, await manageToken(name))
    await expectAlike((name) =>
      asked(({ mailPreferences }) => mailPreferences.execute({ token: tokens.get(name) ?? '' })),
    )
  })
})
