import { setTimeout as sleep } from 'node:timers/promises'
import type { Delivery } from '../cases/bench-case.ts'
import type { Mailbox } from './mailbox.ts'

const POLL = 100
const PATIENCE = 30_000

/**
 * Waits until as many mails have arrived.
 * @throws {Error} for half a minute none came
 */
export const awaitDelivery = async (mailbox: Mailbox, owed: number): Promise<Delivery> => {
  const began = performance.now()
  const deliveredDuringLoad = await mailbox.count()
  let delivered = deliveredDuringLoad
  for (let lastSeen = began; delivered < owed; await sleep(POLL)) {
    const count = await mailbox.count()
    if (count > delivered) lastSeen = performance.now()
    else if (performance.now() - lastSeen > PATIENCE)
      throw new Error(`${delivered} of ${owed} mails were delivered, then none`)
    delivered = count
  }
  return { deliveredDuringLoad, delivered, seconds: (performance.now() - began) / 1_000 }
}
