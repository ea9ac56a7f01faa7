import { expect, it } from 'vitest'
import { MemoryClock } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import { createAllUseCases, HOUR, MINUTE, type Stores, type UnitOfWork } from '../src/all.ts'
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
    const { subscribe, subscribeToFeeds, deliverOutbox, confirmSubscription, refuseSubscription } =
      useCasesOver(unitOfWork)
    const field = aField('company', { stored: true })
    await unitOfWork.run(async (stores) => {
      for (const name of FEEDS) await stores.feeds.put(aFeed(name, { fields: [field] }))
    })
    const signUp = async (name: string): Promise<unknown> => {
      const form = { email: `${name}@example.com`, source: SOURCE }
      return await (feeds === undefined ? subscribe.execute(form) : subscribeToFeeds.execute({ ...form, feeds }))
    }
    const follow = async (name: string, link: 'confirm' | 'refuse') => {
      const { links } = ports.transport.mails.find(({ to }) => to === `${name}@example.com`) ?? {}
      const token = links?.[link]?.split('/').at(-1) ?? ''
      await (link === 'confirm' ? confirmSubscription : refuseSubscription).execute({ token, source: SOURCE })
    }
    for (const name of ['suppressed', 'confirmed', 'pending']) await signUp(name)
    await deliverOutbox.execute({ limit: 10 })
    await follow('suppressed', 'refuse')
    await follow('confirmed', 'confirm')
    ports.clock.advance(HOUR)
    await signUp('capped')
    await deliverOutbox.execute({ limit: 10 })
    await signUp('waiting')
    return (call: (useCases: ReturnType<typeof createAllUseCases>) => Promise<unknown>) =>
      counted(async (within) => void (await call(useCasesOver(within(unitOfWork)))))
  }
  const NAMES = ['new', 'suppressed', 'confirmed', 'pending', 'capped', 'waiting'] as const

  it('changes neither what a sign-up asks of the stores, nor how often it writes', async () => {
    const asked = await withAddresses()
    const found: Record<string, Asked> = {}
    for (const name of NAMES)
      found[name] = await asked(({ subscribe }) => subscribe.execute({ email: `${name}@example.com`, source: SOURCE }))
    expect(found.new?.writes).toBeGreaterThan(2)
    for (const name of NAMES) expect([name, found[name]]).toEqual([name, found.new])
  })

  it.each([[undefined], [FEEDS]])(
    'nor what one to several feeds does, where it has the first of them, or %j',
    async (known) => {
      const asked = await withAddresses(known)
      const found: Record<string, Asked> = {}
      for (const name of NAMES)
        found[name] = await asked(({ subscribeToFeeds }) =>
          subscribeToFeeds.execute({
            ...{ email: `${name}@example.com`, feeds: FEEDS, fields: { company: 'ACME' }, source: SOURCE },
          }),
        )
      expect(found.new?.writes).toBe(4 * FEEDS.length + 1)
      for (const name of NAMES) expect([name, found[name]]).toEqual([name, found.new])
    },
  )

  it('nor what a request for the link to preferences does', async () => {
    const asked = await withAddresses()
    const found: Record<string, Asked> = {}
    for (const name of NAMES)
      found[name] = await asked(({ requestPreferences }) =>
        requestPreferences.execute({ email: `${name}@example.com` }),
      )
    expect(found.new?.writes).toBeGreaterThan(0)
    for (const name of NAMES) expect([name, found[name]]).toEqual([name, found.new])
  })
})
