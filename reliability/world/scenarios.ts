import { haproxy } from './scenarios/haproxy.ts'
import { patroni } from './scenarios/patroni.ts'
import { pgbouncer } from './scenarios/pgbouncer.ts'
import type { WorldScenario } from './world-scenario.ts'

/** In the order in which they are run. */
export const SCENARIOS: readonly WorldScenario[] = [pgbouncer, haproxy, patroni]
