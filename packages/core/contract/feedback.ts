import { expect, it } from 'vitest'
import { addressHash, type Caller } from '../src/index.ts'
import { upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, type Served, SOURCE, wholeServiceOver } from './whole-service.ts'

const MAILER: Caller = { ...OPERATOR, id: 'mailer', roles: ['sender'] }

const serviceOver = (storage: Served, seed?: number) => {
  const service = wholeServiceOver(storage, seed)
  const { useCases, digests } = service
  return {
    ...service,
    signUp: async (email: string) => (await useCases.subscribe.execute({ email, source: SOURCE })).id,
    report: (items: readonly object[], by = MAILER) =>
      useCases.recordFeedback.execute({ items: items as readonly { kind: string }[] }, by),
    stateOf: async (email: string) =>
      (await storage.readers.deliverability.find(addressHash(digests, email)))?.state ?? 'ok',
  }
}

const bounce = (id: number) => ({ kind: 'bounce', subscription: String(id), status: '5.1.1' })

export const feedbackContract = storageSuite('feedback', ({ unitOfWork, readers, another }) => {
  it('makes an address undeliverable once, whichever instances take it at the same time', async () => {
    const one = serviceOver({ unitOfWork, readers })
    const two = serviceOver(await another(), 2)
    const id = await one.signUp('ada@example.com')
    const outcomes = await Promise.all(upTo(8).map((n) => (n % 2 ? one : two).report([bounce(id), bounce(id)])))
    expect(outcomes.reduce((sum, { addresses }) => sum + addresses, 0)).toBe(1)
    expect(await one.stateOf('ada@example.com')).toBe('undeliverable')
  })

  it('lets 100 addresses of a caller pass in a day, whichever instances take it at the same time', async () => {
    const one = serviceOver({ unitOfWork, readers })
    const two = serviceOver(await another(), 2)
    const items = upTo(120).map((n) => ({ kind: 'bounce', address: `a${n}@example.com`, permanent: true }))
    const admin = { ...OPERATOR, id: 'importer' }
    const parts = upTo(6).map((n) => items.slice((n - 1) * 20, n * 20))
    const outcomes = await Promise.all(parts.map((part, n) => (n % 2 ? one : two).report(part, admin)))
    expect(outcomes.reduce((sum, { addresses }) => sum + addresses, 0)).toBe(100)
    const { items: waiting } = await one.useCases.listFeedback.execute({ limit: 200 }, OPERATOR)
    expect(waiting).toHaveLength(20)
    const ids = waiting.map(({ id }) => id)
    const decided = await Promise.all(
      [one, two].map(({ useCases }) => useCases.decideFeedback.execute({ decision: 'accept', ids }, OPERATOR)),
    )
    expect(decided.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect((await readers.deliverability.list({ after: 0, limit: 200 })).items).toHaveLength(120)
  })

  it('is gone with the person: when a user is deleted with its subscriptions, too', async () => {
    const { signUp, report, stateOf, useCases } = serviceOver({ unitOfWork, readers })
    for (const name of ['ada', 'bob']) {
      const email = `${name}@example.com`
      await useCases.putUser.execute({ userId: name, email, name: '', roles: [] }, OPERATOR)
      await report([bounce(await signUp(email))])
    }
    await useCases.deleteUser.execute({ userId: 'ada', subscriptions: 'erase' }, OPERATOR)
    await useCases.deleteUser.execute({ userId: 'bob', subscriptions: 'keep' }, OPERATOR)
    expect([await stateOf('ada@example.com'), await stateOf('bob@example.com')]).toEqual(['ok', 'undeliverable'])
  })
})
