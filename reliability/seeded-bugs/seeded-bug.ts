import type { Planting } from '../fault-injection/planting.ts'
import type { CheckName } from './checks/checks.ts'

/** A fault that is put into the service on purpose: whoever looks for faults must find it. */
export interface SeededBug {
  readonly name: string
  /** What is wrong with the service that has it. */
  readonly what: string
  readonly plantings: readonly Planting[]
  /** Which check must find it. */
  readonly check: CheckName
}
