import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError, understood, whole } from '../../proving/shared/command.ts'

export interface Options {
  readonly seed: number
  readonly first: number
  readonly inputs: number
  readonly lanes: number
  readonly store: 'sqlite' | 'postgres'
  readonly differential: boolean
  readonly replay: string | undefined
  /** Where findings are written. */
  readonly out: string | undefined
}

export const USAGE = `Usage: npm run check:fuzz -- [options]

Sends generated inputs to the service, in a process of its own, over real connections, and checks every answer, the
log, and the stored data. Exits with 3 if something was found; each finding is printed with the arguments that repeat it.

  --inputs <n>      how many inputs (default: 1,000,000)
  --seed <n>        the seed of the inputs (default: a new one, which is printed)
  --first <n>       the number of the first one (default: 0)
  --lanes <n>       concurrent connections (default: 24)
  --store <name>    sqlite or postgres (default: sqlite)
  --differential    send each input to a service on each store, and compare the answers
  --replay <file>   only send the content of this file, and print the problems; a kept seed will do
  --out <folder>    the folder for findings (default: a temporary folder)
  --help            print this help

Examples:
  npm run check:fuzz -- --inputs 20000
  npm run check:fuzz -- --seed 7 --first 4711 --inputs 1
  npm run check:fuzz -- --replay reliability/fuzz/seeds/both-framings.json
`

/**
 * Undefined where help is asked for.
 * @throws {UsageError} an option is unknown, or its value is invalid
 */
export const readOptions = (args: readonly string[]): Options | undefined => {
  const { help, replay, out, store, differential, ...values } = understood(() =>
    parseArgs({ args: [...args], options: OPTIONS }),
  )
  if (help) return undefined
  if (store !== 'sqlite' && store !== 'postgres') throw new UsageError('--store must be sqlite or postgres.')
  return {
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : whole('seed', values.seed),
    first: whole('first', values.first),
    inputs: whole('inputs', values.inputs),
    lanes: Math.max(1, whole('lanes', values.lanes)),
    store,
    differential,
    replay,
    out,
  }
}

const OPTIONS = {
  inputs: { type: 'string', default: '1000000' },
  seed: { type: 'string' },
  first: { type: 'string', default: '0' },
  lanes: { type: 'string', default: '24' },
  store: { type: 'string', default: 'sqlite' },
  differential: { type: 'boolean', default: false },
  replay: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']
