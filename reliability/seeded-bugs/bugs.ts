import type { Planting } from '../fault-injection/planting.ts'
import type { CheckName } from './checks.ts'
import { DURABILITY_BUGS } from './durability-bugs.ts'
import { MAIL_BUGS } from './mail-bugs.ts'
import { PROMISE_BUGS } from './promise-bugs.ts'

/** A fault that is put into the service on purpose: whoever looks for faults must find it. */
export interface SeededBug {
  readonly name: string
  /** What is wrong with the service that has it. */
  readonly what: string
  readonly plantings: readonly Planting[]
  /** Which check must find it. */
  readonly check: CheckName
}

export const SEEDED_BUGS: readonly SeededBug[] = [...DURABILITY_BUGS, ...MAIL_BUGS, ...PROMISE_BUGS]
