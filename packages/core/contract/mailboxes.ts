import { expect, it } from 'vitest'
import { upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { type Served, SOURCE, wholeServiceOver } from './whole-service.ts'

const mailingOver = (storage: Served, seed?: number) => {
  const { useCases, transport, deliver } = wholeServiceOver(storage, seed)
  return {
    deliver,
    signUp: (email: string) => useCases.subscribe.execute({ email, source: SOURCE }),
    recipients: () => transport.mails.map(({ to }) => to),
  }
}

export const mailboxContract = storageSuite('a mailbox', ({ unitOfWork, readers, another }) => {
  it('gets one mail of many to its plus tags, whichever workers send them at the same time', async () => {
    const one = mailingOver({ unitOfWork, readers })
    const two = mailingOver(await another(), 2)
    await Promise.all(upTo(12).map((n) => (n % 2 ? one : two).signUp(`victim+${n}@example.com`)))
    await Promise.all([one.deliver(), two.deliver(), one.signUp('victim@example.com')])
    await Promise.all([one.deliver(), two.deliver()])
    expect([...one.recipients(), ...two.recipients()]).toHaveLength(1)
  })
})
