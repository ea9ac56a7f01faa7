import { type ParseArgsConfig, parseArgs } from 'node:util'
import { confirm } from './cases/confirmations.ts'
import { events } from './cases/events.ts'
import { manyRowsCases } from './cases/many-rows.ts'
import { signUpCases } from './cases/sign-ups.ts'
import { userCases } from './cases/users.ts'
import type { Store } from './setting.ts'

const allCases = [...signUpCases, confirm, ...userCases, events, ...manyRowsCases]
const LONGEST = Math.max(...allCases.map(({ name }) => name.length))

export const USAGE = `Usage: npm run bench -- [options]

Measures a packed release from outside, each turn on a database of its own. See proving/README.md.

  --product <folder>   a packed release: the folder with its bin/rollcall.cjs, or in which it was installed
                       (default: this clone, built as it is published)
  --against <folder>   an older packed release, measured in turns with it
  --only <case>        a case, or all whose names begin so; may be repeated (default: all)
  --store <name>       sqlite or postgres (default: both)
  --turns <n>          of each; their order changes from turn to turn (default: 3)
  --seconds <n>        of load in a turn, after a third as long to warm up (default: 6)
  --rows <n>           subscriptions or users, where there are many (default: 100,000)
  --slow-disk          every flush to the disk takes 2 ms more (Linux, needs cc)
  --help               print this help

Cases:
${allCases.map(({ name, says }) => `  ${name.padEnd(LONGEST)}  ${says}`).join('\n')}
`

const OPTIONS = {
  product: { type: 'string' },
  against: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] },
  store: { type: 'string' },
  turns: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '6' },
  rows: { type: 'string', default: '100,000' },
  'slow-disk': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']

/** The command line is not valid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

const whole = (name: string, text: string): number => {
  const digits = text.replaceAll(',', '')
  if (/^[1-9]\d{0,7}$/.test(digits)) return Number(digits)
  throw new UsageError(`--${name} must be a whole number of at least 1, not '${text}'.`)
}

/**
 * Undefined if help is asked for.
 * @throws {UsageError} an option is unknown, or its value is invalid
 */
export const readOptions = (args: readonly string[]) => {
  const values = parsed(args)
  if (values.help) return undefined
  const { product, against, only, store } = values
  if (store !== undefined && store !== 'sqlite' && store !== 'postgres')
    throw new UsageError(`--store must be sqlite or postgres, not '${store}'.`)
  const cases = allCases.filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)))
  const unknown = only.find((start) => !allCases.some(({ name }) => name.startsWith(start)))
  if (unknown !== undefined) throw new UsageError(`There is no case '${unknown}'.`)
  const stores: readonly Store[] = store === undefined ? ['sqlite', 'postgres'] : [store]
  const [turns, seconds, rows] = [
    whole('turns', values.turns),
    whole('seconds', values.seconds),
    whole('rows', values.rows),
  ]
  return { product, against, cases, stores, turns, seconds, rows, slowDisk: values['slow-disk'] }
}

export type Options = NonNullable<ReturnType<typeof readOptions>>
