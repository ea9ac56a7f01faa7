import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError, understood } from '../proving/shared/command.ts'
import { isInstalled } from './command.ts'
import { GENERATOR_NAMES, type GeneratorName } from './load.ts'

export interface Options {
  readonly only: readonly string[]
  readonly seconds: number
  readonly warmup: number
  readonly reps: number
  readonly connections: number
  readonly generator: GeneratorName
  readonly mail: 'files' | 'smtp'
  readonly delivery: boolean
  readonly users: number
  readonly rows: number
  readonly profile: string | undefined
  readonly json: boolean
}

/** Users are created for so many deletions a second. */
const DELETIONS = 12_000
const ROWS = 1_000_000

export const USAGE = `Usage: npm run bench -- [options]

Measures Rollcall and the bare floors that it is compared with, in one run. See bench/README.md.

  --only <case>        a case, or all whose names begin with this; may be repeated (default: all)
  --seconds <n>        how long each case is measured, each time (default: 10)
  --warmup <n>         how long it runs before, unmeasured (default: 3)
  --reps <n>           repetitions of each case, in turn with the others (default: 3)
  --connections <n>    concurrent connections (default: 50)
  --generator <name>   wrk or autocannon (default: wrk where it is installed)
  --mail <how>         files or smtp: how the service delivers its mails (default: files)
  --no-delivery        do not wait for the mails of the last sign-up run
  --users <n>          users to create for deletions (default: ${DELETIONS} for each second)
  --rows <n>           subscriptions or users in the large growth cases (default: ${ROWS.toLocaleString('en-US')})
  --profile <folder>   write a CPU profile of every server here, which lowers the figures
  --json               print the results as JSON
  --help               print this help

Examples:
  npm run bench -- --seconds 5 --reps 5
  npm run bench -- --only post --no-delivery
  npm run bench -- --only delete-204 --json > results.json
`

/**
 * Undefined where help is asked for.
 * @throws {UsageError} an option is unknown, or its value is invalid
 */
export const readOptions = (args: readonly string[]): Options | undefined => {
  const values = understood(() => parseArgs({ args: [...args], allowNegative: true, options: OPTIONS }))
  if (values.help) return undefined
  const seconds = positive('seconds', values.seconds)
  const warmup = positive('warmup', values.warmup)
  return {
    only: values.only,
    seconds,
    warmup,
    reps: positive('reps', values.reps),
    connections: positive('connections', values.connections),
    generator: oneOf('generator', values.generator ?? (isInstalled('wrk') ? 'wrk' : 'autocannon'), GENERATOR_NAMES),
    mail: oneOf('mail', values.mail, ['files', 'smtp']),
    delivery: values.delivery,
    users: values.users === undefined ? DELETIONS * (seconds + warmup) : positive('users', values.users),
    rows: positive('rows', values.rows),
    // Servers run in folders of their own.
    profile: values.profile === undefined ? undefined : path.resolve(values.profile),
    json: values.json,
  }
}

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [] },
  seconds: { type: 'string', default: '10' },
  warmup: { type: 'string', default: '3' },
  reps: { type: 'string', default: '3' },
  connections: { type: 'string', default: '50' },
  generator: { type: 'string' },
  mail: { type: 'string', default: 'files' },
  delivery: { type: 'boolean', default: true },
  users: { type: 'string' },
  rows: { type: 'string', default: `${ROWS}` },
  profile: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']

const positive = (name: string, text: string): number => {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} must be a whole number of at least 1, not '${text}'.`)
}

const oneOf = <Value extends string>(name: string, text: string, allowed: readonly Value[]): Value => {
  const found = allowed.find((value) => value === text)
  if (found !== undefined) return found
  throw new UsageError(`--${name} must be ${allowed.join(' or ')}, not '${text}'.`)
}
