import { expect, it } from 'vitest'
import { addressHash, MINUTE } from '../src/index.ts'
import { upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR, type Served, SOURCE, tokenIn, wholeServiceOver } from './whole-service.ts'

const mailingOver = (storage: Served, seed?: number) => {
  const { useCases, clock, digests, transport, deliver } = wholeServiceOver(storage, seed)
  return {
    clock,
    deliver,
    hashOf: (address: string) => addressHash(digests, address),
    signUp: (email: string) => useCases.subscribe.execute({ email, source: SOURCE }),
    lift: (address: string) => useCases.liftSuppression.execute({ address }, OPERATOR),
    recipients: () => transport.mails.map(({ to }) => to),
    refuse: (token: string) => useCases.refuseSubscription.execute({ token, source: SOURCE }),
  }
}

export const mailboxContract = storageSuite('a mailbox', ({ unitOfWork, readers, stores, another }) => {
  it('gets one mail of many to its plus tags, whichever workers send them at the same time', async () => {
    const one = mailingOver({ unitOfWork, readers })
    const two = mailingOver(await another(), 2)
    await Promise.all(upTo(12).map((n) => (n % 2 ? one : two).signUp(`victim+${n}@example.com`)))
    await Promise.all([one.deliver(), two.deliver(), one.signUp('victim@example.com')])
    await Promise.all([one.deliver(), two.deliver()])
    expect([...one.recipients(), ...two.recipients()]).toHaveLength(1)
  })

  it('is suppressed whole by one of its addresses, and by what was stored for the plain one before', async () => {
    const at = mailingOver({ unitOfWork, readers })
    await at.signUp('ada+1@example.com')
    await at.refuse(tokenIn(await at.deliver(), 'refuse'))
    await stores.suppressions.add(at.hashOf('bob@example.com'), { cause: 'refused', since: 1 })
    await stores.suppressions.add(at.hashOf('eve+1@example.com'), { cause: 'refused', since: 1 })
    at.clock.advance(30 * MINUTE)
    const others = ['ada@example.com', 'ada+2@example.com', 'bob+1@example.com', 'eve+1@example.com']
    await Promise.all([...others, 'eve@example.com'].map((email) => at.signUp(email)))
    await at.deliver()
    expect(at.recipients()).toEqual(['ada+1@example.com', 'eve@example.com'])
    await at.lift('ada+2@example.com')
    await at.signUp('ada+2@example.com')
    await at.deliver()
    expect(at.recipients()).toEqual(['ada+1@example.com', 'eve@example.com', 'ada+2@example.com'])
  })
})
