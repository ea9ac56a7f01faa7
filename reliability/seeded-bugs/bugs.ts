import type { SourceChange } from '../fault-injection/source-change.ts'
import type { CheckName } from './checks.ts'
import { DURABILITY_BUGS } from './durability-bugs.ts'
import { MAIL_BUGS } from './mail-bugs.ts'
import { PROMISE_BUGS } from './promise-bugs.ts'

/** A bug that is put into the service on purpose, and that a check must find. */
export interface SeededBug {
  readonly name: string
  /** What the service does wrong with it. */
  readonly what: string
  readonly changes: readonly SourceChange[]
  /** Which check must find it. */
  readonly check: CheckName
}

export const SEEDED_BUGS: readonly SeededBug[] = [...DURABILITY_BUGS, ...MAIL_BUGS, ...PROMISE_BUGS]
