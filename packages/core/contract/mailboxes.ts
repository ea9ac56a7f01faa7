import { expect, it } from 'vitest'
import { MemoryClock, MemoryRandomness } from '../memory/memory-environment.ts'
import { MEMORY_SETTINGS, memoryPorts } from '../memory/memory-service.ts'
import { addressHash, createUseCases, MINUTE, operator } from '../src/index.ts'
import { upTo } from './samples.ts'
import { type StorageUnderTest, storageSuite } from './storage-under-test.ts'

const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

/** Sign-ups and mails over the storage under test; the rest is in memory. Another seed makes another owner of leases. */
const mailingOver = ({ unitOfWork, readers }: Pick<StorageUnderTest, 'unitOfWork' | 'readers'>, seed = 1) => {
  const ports = { ...memoryPorts(new MemoryClock(Date.now() - 60 * MINUTE)), randomness: new MemoryRandomness(seed) }
  const { subscribe, deliverOutbox, liftSuppression, refuseSubscription } = createUseCases(
    { ...ports, unitOfWork, readers },
    MEMORY_SETTINGS,
  )
  return {
    clock: ports.clock,
    hashOf: (address: string) => addressHash(ports.digests, address),
    signUp: (email: string) => subscribe.execute({ email, source: SOURCE }),
    deliver: () => deliverOutbox.execute({ limit: 100 }),
    lift: (address: string) => liftSuppression.execute({ address }, operator('contract')),
    recipients: () => ports.transport.mails.map(({ to }) => to),
    refuse: async () => {
      const link = ports.transport.mails.at(-1)?.links.refuse ?? ''
      await refuseSubscription.execute({ token: link.slice(link.lastIndexOf('/') + 1), source: SOURCE })
    },
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
    await at.deliver()
    await at.refuse()
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
