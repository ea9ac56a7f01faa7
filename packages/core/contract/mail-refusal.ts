import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MailRefusedPermanently } from '../src/index.ts'
import { aMailTo, type MailTransportUnderTest } from './mail-transport.ts'
import { outcomesOf } from './samples.ts'

export interface RefusingTransportUnderTest extends MailTransportUnderTest {
  /** From now on the other side refuses every mail like this; with `undefined` none any more. */
  refuse(how: 'for-good' | 'for-now' | undefined): void
}

/** For transports with another side that may refuse. */
export const mailRefusalContract = (open: () => Promise<RefusingTransportUnderTest>) =>
  describe('a mail transport that is refused', () => {
    let mail: RefusingTransportUnderTest
    beforeEach(async () => {
      mail = await open()
    })
    afterEach(async () => {
      await mail.dispose()
    })
    const refusal = async () => (await outcomesOf([mail.transport.send(aMailTo('ada@example.com'))])).errors[0]

    it('distinguishes a permanent refusal from failures worth another try', async () => {
      mail.refuse('for-good')
      expect(await refusal()).toBeInstanceOf(MailRefusedPermanently)
      mail.refuse('for-now')
      const passing = await refusal()
      expect(passing).toBeInstanceOf(Error)
      expect(passing).not.toBeInstanceOf(MailRefusedPermanently)
    })

    it('delivers nothing of what was refused, and the same mail when it is taken later', async () => {
      mail.refuse('for-now')
      await refusal()
      expect(await mail.delivered()).toEqual([])
      mail.refuse(undefined)
      await mail.transport.send(aMailTo('ada@example.com'))
      expect(await mail.delivered()).toHaveLength(1)
    })
  })
