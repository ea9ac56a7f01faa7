import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError, understood, whole } from '../command.ts'

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

Sends generated inputs to the service, in a process of its own, over real connections, and judges every answer, the
log, and what is stored. Ends with 3 where something was found; each finding is printed with what replays it.

  --inputs <n>      how many (default: 1,000,000)
  --seed <n>        what decides them (default: another one each time; it is printed)
  --first <n>       the number of the first one (default: 0)
  --lanes <n>       connections at once (default: 24)
  --store <name>    sqlite or postgres (default: sqlite)
  --differential    send each to a service on either store instead, and compare the answers
  --replay <file>   send what is in this file, print what comes back, and nothing else; may be a kept seed
  --out <folder>    where findings are written (default: a temporary folder)
  --help            print this

Examples:
  npm run check:fuzz -- --inputs 20000
  npm run check:fuzz -- --seed 7 --first 4711 --inputs 1
  npm run check:fuzz -- --replay reliability/fuzz/seeds/both-framings.json
`

/**
 * Undefined where only help is wanted.
 * @throws {UsageError} an option is not known, or its value not usable
 */
export const readOptions = (args: readonly string[]): Options | undefined => {
  const { help, replay, out, store, differential, ...values } = understood(() =>
    parseArgs({ args: [...args], options: OPTIONS }),
  )
  if (help) return undefined
  if (store !== 'sqlite' && store !== 'postgres') throw new UsageError('--store takes sqlite or postgres.')
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
