import { expect, it } from 'vitest'
import { anIdentity, aSubscription } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const ada = { feed: aSubscription(1).feed, addressKey: 'ada@x' }
const ben = { ...ada, addressKey: 'ben@x' }
const cleo = { ...ada, addressKey: 'cleo@x' }

// Real identities collide once in 2^53; these do it on purpose.
const identityOf = { ada: anIdentity(ada, [1, 10]), ben: anIdentity(ben, [1, 2]), cleo: anIdentity(cleo, [1, 2, 3]) }
type Person = keyof typeof identityOf

export const subscriptionIdsContract = storageSuite('the ids of a subscription store', (storage) => {
  const { run, alike, undone, atOnce, stores } = storage
  const locate = (person: Person) => alike(({ subscriptions }) => subscriptions.locate(identityOf[person]))
  const begin = (person: Person) =>
    run(async ({ subscriptions }) => {
      const { id } = await subscriptions.locate(identityOf[person])
      const subscription = aSubscription(id, { addressKey: identityOf[person].addressKey, email: `${person}@x` })
      await subscriptions.put(subscription)
      return subscription
    })
  const erase = (id: number) => stores.subscriptions.erase(id)

  it('are the first candidate where no other subscription has it, before, during and after a life', async () => {
    expect(await locate('ada')).toEqual({ id: 1, subscription: undefined })
    const subscription = await begin('ada')
    expect(await locate('ada')).toEqual({ id: 1, subscription })
    await erase(1)
    expect(await locate('ada')).toEqual({ id: 1, subscription: undefined })
  })

  it('are the next candidate where another identity holds the first', async () => {
    await begin('ada')
    expect((await begin('ben')).id).toBe(2)
    expect((await begin('cleo')).id).toBe(3)
    for (const person of ['ada', 'ben', 'cleo'] as const)
      expect((await locate(person)).subscription?.email).toBe(`${person}@x`)
  })

  it('never lead to the subscription of another', async () => {
    await begin('ada')
    expect(await locate('ben')).toEqual({ id: 2, subscription: undefined })
  })

  it('stay the same when the one that was in the way is erased', async () => {
    await begin('ada')
    const subscription = await begin('ben')
    await erase(1)
    expect(await locate('ben')).toEqual({ id: 2, subscription })
    expect((await locate('ada')).id).toBe(1)
  })

  it('stay the same when the one that gave way is erased itself, and comes back', async () => {
    await begin('ada')
    await begin('ben')
    await erase(2)
    await erase(1)
    expect((await locate('ben')).id).toBe(2)
    expect((await begin('ben')).id).toBe(2)
    expect((await begin('ada')).id).toBe(1)
  })

  it('are remembered once something is stored under them, not when they are only looked up', async () => {
    await begin('ada')
    expect((await locate('ben')).id).toBe(2)
    await erase(1)
    expect((await locate('ben')).id).toBe(1)
  })

  it('are remembered whatever else a unit locates before it stores', async () => {
    await begin('ada')
    await run(async ({ subscriptions }) => {
      const { id } = await subscriptions.locate(identityOf.ben)
      await subscriptions.locate(identityOf.ada)
      await subscriptions.locate(anIdentity({ ...ada, addressKey: 'dora@x' }, [7]))
      await subscriptions.put(aSubscription(id, { addressKey: 'ben@x' }))
    })
    await erase(1)
    expect((await locate('ben')).id).toBe(2)
  })

  it('are decided once when two identities that collide begin at the same time, on any number of handles', async () => {
    const begun = await atOnce(20, async ({ subscriptions }, n) => {
      const person = n % 4 < 2 ? 'ada' : 'ben'
      const { id, subscription } = await subscriptions.locate(identityOf[person])
      await subscriptions.put(subscription ?? aSubscription(id, { addressKey: identityOf[person].addressKey }))
      return `${person} ${id}`
    })
    expect(new Set(begun).size).toBe(2)
    expect((await locate('ada')).subscription?.addressKey).toBe('ada@x')
    expect((await locate('ben')).subscription?.addressKey).toBe('ben@x')
  })

  it('leave no trace of a unit that threw', async () => {
    await begin('ada')
    await undone(async ({ subscriptions }) => {
      const { id } = await subscriptions.locate(identityOf.ben)
      await subscriptions.put(aSubscription(id, { addressKey: 'ben@x' }))
      await subscriptions.erase(1)
    })
    await erase(1)
    expect(await locate('ben')).toEqual({ id: 1, subscription: undefined })
  })
})
