import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError, understood, whole } from '../../proving/shared/command.ts'
import { SCENARIOS } from './scenarios.ts'
import type { WorldScenario } from './world-scenario.ts'

export interface WorldOptions {
  readonly scenarios: readonly WorldScenario[]
  readonly seed: number
  readonly seconds: number
  readonly switchovers: number
  readonly kills: number
  readonly fromSource: boolean
  readonly json: boolean
}

const SECONDS = 20
const SWITCHOVERS = 5
const KILLS = 4

export const USAGE = `Usage: npm run check:world -- [options]

Runs the service beside what others made: poolers, balancers, fail-over, caches and an identity provider, each under 200
sign-ups and 20 deletions a second, and compares its data with the ledger of its clients. Everything runs in a temporary
folder and is gone at the end. Exits with 3 if a promise was broken; every finding is printed with the arguments that
repeat it. Exits with 2 if something is missing, and names the command that installs it. See docs/reliability.md.

${SCENARIOS.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}

  --only <name>       only this one; may be repeated
  --switchovers <n>   how often Patroni changes its leader (default: ${SWITCHOVERS})
  --kills <n>         how often a leader, a primary or an instance is killed (default: ${KILLS})
  --seconds <n>       under load, where nothing else decides how long (default: ${SECONDS})
  --seed <n>          the seed of all random decisions (default: a new one, which is printed)
  --source            the source, instead of the built product
  --json              print the results as JSON
  --help              print this help

Environment:
  KEYCLOAK_HOME       the folder of an unpacked Keycloak (26 or later), which needs Java
  PGBOUNCER_NEW       a PgBouncer 1.21 or later, which knows prepared statements, beside the one that is installed

Examples:
  npm run check:world
  npm run check:world -- --only pgbouncer --only haproxy --seconds 60
  npm run check:world -- --only patroni --switchovers 50 --kills 20
  npm run check:world -- --only patroni --switchovers 3 --kills 2 --seed 7
  KEYCLOAK_HOME=/opt/keycloak npm run check:world -- --only keycloak
`

/**
 * Undefined where help is asked for.
 * @throws {UsageError} an option is unknown, or its value is invalid
 */
export const readWorldOptions = (args: readonly string[]): WorldOptions | undefined => {
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) return undefined
  return {
    scenarios: values.only.length === 0 ? SCENARIOS : values.only.map(scenarioOf),
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : whole('seed', values.seed),
    seconds: Math.max(1, whole('seconds', values.seconds)),
    switchovers: whole('switchovers', values.switchovers),
    kills: whole('kills', values.kills),
    fromSource: values.source,
    json: values.json,
  }
}

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [] },
  switchovers: { type: 'string', default: `${SWITCHOVERS}` },
  kills: { type: 'string', default: `${KILLS}` },
  seconds: { type: 'string', default: `${SECONDS}` },
  seed: { type: 'string' },
  source: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']

const scenarioOf = (wanted: string): WorldScenario => {
  const found = SCENARIOS.find(({ name }) => name === wanted)
  if (found) return found
  throw new UsageError(`--only must be one of ${SCENARIOS.map(({ name }) => name).join(', ')}, not '${wanted}'.`)
}
