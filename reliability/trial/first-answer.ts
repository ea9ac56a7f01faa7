import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../ledger/ledger.ts'
import type { Service } from '../service/service.ts'

const LONGEST_WAIT = 10_000

/** Resolves when the service has answered somebody from now on, is dead, or takes too long. */
export const firstAnswer = async (ledger: Ledger, service: Service): Promise<void> => {
  const before = ledger.acknowledged
  const patience = AbortSignal.timeout(LONGEST_WAIT)
  while (ledger.acknowledged === before && service.isRunning && !patience.aborted) await sleep(2)
}
