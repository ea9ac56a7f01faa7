import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError, understood, whole } from './command.ts'
import type { StoreName } from './points/points.ts'

export interface Options {
  readonly stores: readonly StoreName[]
  readonly seed: number
  /** Random kills. */
  readonly kills: number
  /** Kills at each named point. */
  readonly perPoint: number
  /** Words in the names of the wanted points; all points where it is empty. */
  readonly point: readonly string[]
  /** Mails for each fault of the relay. */
  readonly mails: number
  /** States of the disk after a power loss. */
  readonly states: number
  /** A kept recording, and which of its states to examine. */
  readonly recording: string | undefined
  readonly state: number | undefined
  /** How often the pooler, or its server, goes away. */
  readonly troubles: number
  /** Whether to run the self-test; only with these bugs where some are named. */
  readonly selfTest: boolean
  readonly only: readonly string[]
  readonly rate: number | undefined
  readonly fromSource: boolean
  readonly json: boolean
}

const KILLS = 100
const PER_POINT = 50
const MAILS = 100
const STATES = 2_000
const TROUBLES = 40

export const USAGE = `Usage: npm run check:crash -- [options]

Puts the service under load, kills it, and compares its data with a ledger that its clients and its relay keep. Exits
with 3 if a promise was broken; every finding is printed with the arguments that repeat it. See docs/reliability.md.

  --kills <n>        kill -9 at random moments (default: ${KILLS}, if no other check is chosen)
  --points           kill -9 at each named point
  --per-point <n>    kills at each of them (default: ${PER_POINT})
  --point <words>    only points with these words in their names; may be repeated
  --smtp-faults      a relay that fails in many ways
  --mails <n>        mails for each fault (default: ${MAILS})
  --pooler           a PgBouncer in front of PostgreSQL that goes away or loses its server (needs pgbouncer)
  --troubles <n>     how many outages (default: ${TROUBLES})
  --power-loss       disks as a power loss may leave them, rebuilt from recorded writes (Linux, strace; SQLite)
  --states <n>       how many states of the disk (default: ${STATES})
  --recording <dir>  use a kept recording instead of a new one; with --state <n>, only one state of it
  --self-test        plant bugs in the service, each of which must be found
  --only <bug>       only this bug; may be repeated
  --store <name>     sqlite, postgres or both (default: both); TEST_POSTGRES_URL names a server, or one is started
  --seed <n>         the seed of all random decisions (default: a new one, which is printed)
  --rate <n>         requests a second (default: 300)
  --source           random kills of the source, instead of the built product
  --json             print the results as JSON
  --help             print this help

Examples:
  npm run check:crash -- --kills 1000
  npm run check:crash -- --kills 1000 --store postgres
  npm run check:crash -- --points --per-point 50 --store sqlite
  npm run check:crash -- --points --point 'half written' --per-point 5 --seed 7
  npm run check:crash -- --smtp-faults --mails 100 --store sqlite
  npm run check:crash -- --pooler --troubles 40
  npm run check:crash -- --power-loss --states 2000
  npm run check:crash -- --self-test --only normal-sync
`

/**
 * Undefined where help is asked for.
 * @throws {UsageError} an option is unknown, or its value is invalid
 */
export const readOptions = (args: readonly string[]): Options | undefined => {
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) return undefined
  const points = values.points || values.point.length > 0
  const powerLoss = values['power-loss'] || values.recording !== undefined
  const selfTest = values['self-test'] || values.only.length > 0
  const nothingElse = !points && !values['smtp-faults'] && !powerLoss && !values.pooler && !selfTest
  return {
    stores: storesIn(values.store),
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : whole('seed', values.seed),
    kills: values.kills === undefined ? (nothingElse ? KILLS : 0) : whole('kills', values.kills),
    perPoint: points ? whole('per-point', values['per-point']) : 0,
    point: values.point,
    mails: values['smtp-faults'] ? whole('mails', values.mails) : 0,
    states: powerLoss ? whole('states', values.states) : 0,
    troubles: values.pooler ? whole('troubles', values.troubles) : 0,
    recording: values.recording,
    state: values.state === undefined ? undefined : whole('state', values.state),
    selfTest,
    only: values.only,
    rate: values.rate === undefined ? undefined : Math.max(1, whole('rate', values.rate)),
    fromSource: values.source,
    json: values.json,
  }
}

const OPTIONS = {
  kills: { type: 'string' },
  points: { type: 'boolean', default: false },
  'per-point': { type: 'string', default: `${PER_POINT}` },
  point: { type: 'string', multiple: true, default: [] },
  'smtp-faults': { type: 'boolean', default: false },
  mails: { type: 'string', default: `${MAILS}` },
  pooler: { type: 'boolean', default: false },
  troubles: { type: 'string', default: `${TROUBLES}` },
  'power-loss': { type: 'boolean', default: false },
  states: { type: 'string', default: `${STATES}` },
  recording: { type: 'string' },
  state: { type: 'string' },
  'self-test': { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] },
  store: { type: 'string', default: 'both' },
  seed: { type: 'string' },
  rate: { type: 'string' },
  source: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']

/** @throws {UsageError} it is none of the words that `--store` may have */
export const storesIn = (text: string): readonly StoreName[] => {
  if (text === 'both') return ['sqlite', 'postgres']
  if (text === 'sqlite' || text === 'postgres') return [text]
  throw new UsageError(`--store must be sqlite, postgres or both, not '${text}'.`)
}
