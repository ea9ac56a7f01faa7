import { expect, it } from 'vitest'
import { DAY, LinkNotValid } from '../src/index.ts'
import { outcomesOf, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, SOURCE, tokenIn, wholeServiceOver } from './whole-service.ts'

const EMAIL = 'ada@example.com'

export const pressingAtOnceContract = storageSuite('a link that is pressed a hundred times at once', (storage) => {
  /** Two services, one of which has signed somebody up; every other press is at the other. */
  const service = async () => {
    const [here, there] = [wholeServiceOver(storage), wholeServiceOver(await storage.another(), 2)]
    const { id } = await here.useCases.subscribe.execute({ email: EMAIL, source: SOURCE })
    const token = tokenIn(await here.deliver(), 'confirm')
    const press = <Result>(how: (at: typeof here.useCases) => Promise<Result>) =>
      outcomesOf(upTo(100).map((n) => how((n % 2 ? here : there).useCases)))
    const events = async () =>
      (await storage.sealed.events.list({ after: 0, limit: 200 })).items.map(({ type }) => type)
    return { ...here, id, token, press, events }
  }

  it('confirms once: one transition, one consent and one event', async () => {
    const { useCases, id, token, press, events } = await service()
    const { values } = await press((at) => at.confirmSubscription.execute({ token, source: SOURCE }))
    expect(values).toHaveLength(100)
    expect(values.filter(({ already }) => !already)).toHaveLength(1)
    const { consents } = await useCases.getConsent.execute({ subscriptionId: String(id) }, OPERATOR)
    expect(consents.map(({ deed, count }) => [deed, count])).toEqual([
      ['requested', 1],
      ['confirmed', 1],
    ])
    expect(await events()).toEqual(['subscription.pending', 'subscription.confirmed'])
  })

  it('erases once: to all others it is dead', async () => {
    const { useCases, clock, token, press, deliver, events } = await service()
    await useCases.confirmSubscription.execute({ token, source: SOURCE })
    clock.advance(DAY)
    await useCases.requestPreferences.execute({ email: EMAIL })
    const preferences = tokenIn(await deliver(), 'preferences')
    const erasure = { token: preferences, action: 'erase', neverAgain: true, source: SOURCE }
    const { values, errors } = await press((at) => at.changePreferences.execute(erasure))
    expect(values).toHaveLength(1)
    expect(errors.filter((error) => !(error instanceof LinkNotValid))).toEqual([])
    expect((await events()).filter((type) => type === 'subscription.erased')).toHaveLength(1)
    const { items } = await storage.readers.suppressions.list({ after: 0, limit: 9 })
    expect(items.map(({ cause }) => cause)).toEqual(['never-again'])
  })
})
