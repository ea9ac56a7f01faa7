import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import { createUseCases, HOUR, LinkTokens, type UseCases } from '../src/index.ts'
import { ADMIN, confirm, mailedToken, refuse, type Service, SOURCE, subscribe } from './cast.ts'

const NAMES = ['new', 'pending', 'confirmed', 'suppressed'] as const
const addressOf = (name: string): string => `${name}@example.com`

/** All that a form may ask of the storage: nothing of it depends on the address. */
const NOTHING_OF_THE_ADDRESS = ['feeds.find', 'requests.add', 'requests.count', 'subscriptions.displaced']

const withAddresses = async (): Promise<Service> => {
  const at = openMemoryService()
  await at.useCases.putFeed.execute({ name: 'other' }, ADMIN)
  for (const name of NAMES.slice(1)) await subscribe(at, addressOf(name))
  for (const name of ['confirmed', 'suppressed'] as const) {
    const act = name === 'confirmed' ? confirm : refuse
    const purpose = name === 'confirmed' ? 'confirm' : 'refuse'
    await mailedToken(at, purpose)
    const mail = at.transport.mails.find(({ to }) => to === addressOf(name))
    await act(at, mail?.links[purpose]?.split('/').at(-1) ?? '')
  }
  return at
}

/** What is asked of the storage, by name, while another process carries requests out. */
const asked = async ({ ports }: Service, call: (useCases: UseCases) => Promise<unknown>): Promise<string[]> => {
  const names = new Set<string>()
  const noting = <Stores extends object>(stores: Stores): Stores =>
    new Proxy(stores, {
      get: (_, name) => {
        const store: unknown = Reflect.get(stores, name)
        if (typeof store !== 'object' || store === null) return store
        return new Proxy(store, {
          get: (_, method) => {
            names.add(`${String(name)}.${String(method)}`)
            return Reflect.get(store, method)
          },
        })
      },
    })
  const { unitOfWork, readers } = ports
  const storage = {
    unitOfWork: {
      run: <T>(work: Parameters<typeof unitOfWork.run<T>>[0]) => unitOfWork.run((stores) => work(noting(stores))),
    },
    readers: noting(readers),
    requestWorker: { isAtWork: async () => true, moment: async () => undefined },
  }
  await call(createUseCases({ ...ports, ...storage }, MEMORY_SETTINGS))
  return [...names].sort()
}

describe.each(NAMES)('of an address that is %s', (name) => {
  it.each([
    ['one feed', { feed: 'other' }],
    ['several feeds', { feeds: ['default', 'other'] }],
  ])('nothing is asked by a sign-up to %s', async (_, form) => {
    const command = { email: addressOf(name), source: SOURCE, ...form }
    const found = await asked(await withAddresses(), ({ subscribe }) => subscribe.execute(command))
    expect(found).toEqual(NOTHING_OF_THE_ADDRESS)
  })

  it('nothing is asked by a request for the link to preferences, or by the link to manage a subscription', async () => {
    const at = await withAddresses()
    const { id } = await subscribe(at, addressOf(name))
    const token = new LinkTokens(at.ports).signId('manage', id)
    const found = [
      ...(await asked(at, ({ requestPreferences }) => requestPreferences.execute({ email: addressOf(name) }))),
      ...(await asked(at, ({ mailPreferences }) => mailPreferences.execute({ token }))),
    ]
    expect(NOTHING_OF_THE_ADDRESS).toEqual(expect.arrayContaining(found))
  })

  it('no more is asked by a request for a change to it than of a new one', async () => {
    const at = await withAddresses()
    const found: string[][] = []
    for (const to of ['new', name]) {
      const owner = await subscribe(at, `owner-${found.length}@example.com`)
      await confirm(at, await mailedToken(at, 'confirm'))
      const token = new LinkTokens(at.ports).signPreferences(owner.id, at.clock.now() + HOUR)
      found.push(await asked(at, ({ requestMove }) => requestMove.execute({ token, email: addressOf(to) })))
    }
    expect(found[1]).toEqual(found[0])
    expect(found[0]).not.toEqual([])
  })
})
