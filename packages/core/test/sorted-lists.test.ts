import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { cursorOf, DAY, InvalidInput, MalformedRequest, type SortedPage, type SortedPageRequest } from '../src/index.ts'
import { ADMIN, confirm, mailedToken, type Service, subscribe } from './cast.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const emailOf = (name: string) => `${name}@example.com`

type List = (request: SortedPageRequest) => Promise<SortedPage<{ readonly email: string }>>

const lists = async (): Promise<{ at: Service; subscriptions: List; users: List; inactive: List }> => {
  const at = openMemoryService()
  for (const name of NAMES) {
    await subscribe(at, emailOf(name))
    await at.useCases.putUser.execute({ userId: `user-${name}`, email: emailOf(name), name: '', roles: [] }, ADMIN)
  }
  at.clock.advance(2 * DAY)
  const inactiveSince = new Date(at.clock.now()).toISOString().slice(0, 10)
  const { listSubscriptions, listUsers } = at.useCases
  return {
    at,
    subscriptions: (request) => listSubscriptions.execute(request, ADMIN),
    users: (request) => listUsers.execute(request, ADMIN),
    inactive: (request) => listUsers.execute({ ...request, inactiveSince }, ADMIN),
  }
}

const namesIn = ({ items }: SortedPage<{ readonly email: string }>) => items.map(({ email }) => email.charAt(0))

describe.each(['subscriptions', 'users', 'inactive'] as const)('a list of %s', (kind) => {
  it.each([
    ['oldest', NAMES],
    ['newest', NAMES.toReversed()],
    [undefined, NAMES],
  ])('sorted by %s goes on and back again, page by page', async (sort, expected) => {
    const list = (await lists())[kind]
    for (const limit of [1, 2, 3, 7, 50]) {
      const there: string[][] = []
      let page = await list({ sort, limit })
      expect(page.previous).toBeUndefined()
      for (;;) {
        there.push(namesIn(page))
        if (page.next === undefined) break
        page = await list({ sort, limit, cursor: cursorOf(page.next) })
      }
      expect(there.flat()).toEqual(expected)
      const back: string[][] = [namesIn(page)]
      while (page.previous !== undefined) {
        page = await list({ sort, limit, cursor: cursorOf(page.previous) })
        back.unshift(namesIn(page))
        expect(page.next).toBeDefined()
      }
      expect(back).toEqual(there)
      const again = there[1] && namesIn(await list({ sort, limit, cursor: cursorOf(page.next) }))
      expect(again).toEqual(there[1])
    }
  })

  it('refuses an order or a cursor that there is not', async () => {
    const list = (await lists())[kind]
    await expect(list({ sort: 'up' })).rejects.toBeInstanceOf(InvalidInput)
    for (const cursor of ['', '-', '--1', '1-', 'x', '9'.repeat(17), ' 1', '1.5'])
      await expect(list({ cursor })).rejects.toBeInstanceOf(MalformedRequest)
    for (const cursor of ['0', '-0', '1', '-1']) expect((await list({ cursor, sort: 'newest' })).items).toBeDefined()
  })
})

it('says on each page how many there are in all, unless it is narrowed down', async () => {
  const { at, subscriptions: list } = await lists()
  const first = await list({ limit: 2 })
  const second = await list({ limit: 2, cursor: cursorOf(first.next) })
  const back = await list({ limit: 2, cursor: cursorOf(second.previous) })
  expect([first, second, back].map(({ total }) => total)).toEqual([7, 7, 7])
  const totalOf = async (narrowed: object) => (await at.useCases.listSubscriptions.execute(narrowed, ADMIN)).total
  expect(await totalOf({ status: 'ended' })).toBe(0)
  expect(await totalOf({ query: 'a' })).toBeUndefined()
  expect(await totalOf({ email: emailOf('a') })).toBeUndefined()
})

it('goes back over what is left where some are erased or added meanwhile', async () => {
  const { at, subscriptions: list } = await lists()
  const sort = 'newest'
  const second = await list({ sort, limit: 2, cursor: cursorOf((await list({ sort, limit: 2 })).next) })
  expect(namesIn(second)).toEqual(['e', 'd'])
  await subscribe(at, emailOf('h'))
  const [f] = (await at.useCases.listSubscriptions.execute({ email: emailOf('f') }, ADMIN)).items
  await at.useCases.eraseSubscription.execute({ subscriptionId: String(f?.id) }, ADMIN)
  const before = await list({ sort, limit: 2, cursor: cursorOf(second.previous) })
  expect([namesIn(before), before.previous]).toEqual([['h', 'g'], undefined])
  expect(namesIn(await list({ sort, limit: 2, cursor: cursorOf(before.next) }))).toEqual(['e', 'd'])
})

describe('finding subscriptions', () => {
  const found = async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, 'zoe.mueller@bücher.example', { name: 'Zoë Müller' })
    await confirm(at, await mailedToken(at, 'confirm'))
    await subscribe(at, 'zoe.mueller@bücher.example', { name: 'Zoë Müller', feed: 'news' })
    const { id } = await subscribe(at, 'brian@example.com', { name: "Brian O'Neill" })
    const query = async (query: string, more = {}) => {
      const { items } = await at.useCases.listSubscriptions.execute({ query, ...more }, ADMIN)
      return items.map(({ email, feed }) => `${email.slice(0, email.indexOf('@'))} ${feed}`)
    }
    return { id, query }
  }
  const ZOE = ['zoe.mueller default', 'zoe.mueller news']
  const BRIAN = ['brian default']

  it('by an id, and together with feed, status, address and order', async () => {
    const { id, query } = await found()
    expect(await query('bücher.example')).toEqual(ZOE)
    expect(await query(String(id))).toEqual(BRIAN)
    expect(await query(`${id} bri`)).toEqual(BRIAN)
    expect(await query(`${id} zoe`)).toEqual([])
    expect(await query(String(id), { feed: 'news' })).toEqual([])
    expect(await query(String(id + 1))).toEqual([])
    expect(await query('zoe', { feed: 'news' })).toEqual(['zoe.mueller news'])
    expect(await query('zoe', { status: 'confirmed' })).toEqual(['zoe.mueller default'])
    expect(await query('zoe', { sort: 'newest' })).toEqual(ZOE.toReversed())
    expect(await query('neill', { email: 'brian@example.com' })).toEqual(BRIAN)
    expect(await query('neill', { email: 'zoe.mueller@bücher.example' })).toEqual([])
    await expect(query('x'.repeat(256))).rejects.toThrow("Correct 'query'")
  })
})
