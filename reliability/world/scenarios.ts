import { caches } from './scenarios/caches.ts'
import { haproxy } from './scenarios/haproxy.ts'
import { keycloak } from './scenarios/keycloak.ts'
import { patroni, patroniBehindHaproxy } from './scenarios/patroni.ts'
import { pgbouncer } from './scenarios/pgbouncer.ts'
import { standby } from './scenarios/standby.ts'
import type { WorldScenario } from './world-scenario.ts'

/** In the order in which they are run. */
export const SCENARIOS: readonly WorldScenario[] = [
  pgbouncer,
  haproxy,
  patroni,
  patroniBehindHaproxy,
  standby,
  caches,
  keycloak,
]
