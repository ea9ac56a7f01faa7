import type { Row } from '../shared/report.ts'
import { caches } from './caches.ts'
import { failOver } from './fail-over.ts'
import { haproxy } from './haproxy.ts'
import { pgbouncer } from './pgbouncer.ts'
import type { Tool } from './tools.ts'
import type { WorldContext } from './world-run.ts'

/** One way in which Rollcall is run beside what others made. */
export interface WorldScenario {
  readonly name: string
  readonly about: string
  readonly tools: readonly Tool[]
  /** @throws {Error} it could not be carried out */
  readonly run: (context: WorldContext) => Promise<readonly Row[]>
}

/** In the order in which they are run. */
export const SCENARIOS: readonly WorldScenario[] = [pgbouncer, haproxy, failOver, caches]
