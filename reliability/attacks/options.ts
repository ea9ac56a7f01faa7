import { type ParseArgsConfig, parseArgs } from 'node:util'
import { storesIn, UsageError, understood, whole } from '../../proving/shared/command.ts'
import type { StoreName } from '../../proving/shared/report.ts'
import { ATTACKS } from './attacks.ts'

export interface Options {
  readonly stores: readonly StoreName[]
  /** All attacks where it is empty. */
  readonly only: readonly string[]
  readonly samples: number
  readonly fromSource: boolean
  readonly json: boolean
}

const SAMPLES = 2_000

export const USAGE = `Usage: npm run check:attacks -- [options]

Attacks the service from outside, as strangers, owners of tokens and users of the machine could, and measures what they
achieve. Prints a figure and its bound for each attack. Exits with 3 if a bound is passed. See docs/reliability.md.

  --only <attack>   only this attack; may be repeated (default: all)
                    ${listed(Object.keys(ATTACKS))}
  --store <name>    sqlite, postgres or both (default: both); TEST_POSTGRES_URL names a server, or one is started
  --samples <n>     requests for each outcome whose times are compared (default: ${SAMPLES.toLocaleString('en-US')})
  --source          attack the source, instead of the built product
  --json            print the results as JSON
  --help            print this help

Examples:
  npm run check:attacks
  npm run check:attacks -- --only pipelining --only negotiation
  npm run check:attacks -- --only timing --store postgres --samples 3000
  npm run check:attacks -- --only tokens --source --json
`

function listed(names: readonly string[]): string {
  const half = Math.ceil(names.length / 2)
  return `${names.slice(0, half).join(', ')},\n${' '.repeat(20)}${names.slice(half).join(', ')}`
}

/**
 * Undefined where help is asked for.
 * @throws {UsageError} an option is unknown, or its value is invalid
 */
export const readOptions = (args: readonly string[]): Options | undefined => {
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) return undefined
  const unknown = values.only.find((name) => !(name in ATTACKS))
  if (unknown !== undefined)
    throw new UsageError(`There is no attack '${unknown}', only ${Object.keys(ATTACKS).join(', ')}.`)
  return {
    stores: storesIn(values.store),
    only: values.only,
    samples: Math.max(2, whole('samples', values.samples)),
    fromSource: values.source,
    json: values.json,
  }
}

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [] },
  store: { type: 'string', default: 'both' },
  samples: { type: 'string', default: `${SAMPLES}` },
  source: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']
