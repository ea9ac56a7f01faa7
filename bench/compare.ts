import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { runCommand, UsageError, understood, whole } from '../proving/shared/command.ts'
import { textTable } from '../proving/shared/text-table.ts'
import { findCores } from './command.ts'
import { CASES } from './compare/cases.ts'
import { DatabaseServer } from './compare/database-server.ts'
import type { Product } from './compare/site.ts'
import { type TurnFigures, takeTurn } from './compare/take-turn.ts'
import { product as workingTree } from './rollcall/rollcall.ts'
import { makeScratch } from './scratch.ts'
import { spread } from './statistics.ts'

const USAGE = `Usage: npm run bench:compare -- --before <folder> --store <name> --case <name> [options]

Measures two packed releases in turns on the same cores, each turn on a database of its own that ends with a kill -9 under
load, after which what was answered is looked for. See bench/README.md. Needs wrk and taskset.

  --before <folder>    a packed release: the folder with its bin/rollcall.cjs, or in which it was installed
  --after <folder>     the other one (default: the working tree, built as it is published)
  --store <name>       sqlite or postgres
  --case <name>        ${Object.keys(CASES).join(', ')}
  --connections <n>    concurrent connections (default: 50)
  --turns <n>          of each; the order changes from turn to turn (default: 3)
  --seconds <n>        of load in a turn (default: 6)
  --warmup <n>         seconds of load before, unmeasured (default: 2)
  --stock <n>          users to delete, or subscriptions to confirm (default: 12,000 for each second of load)
  --slow-disk          every flush to the disk takes 2 ms more (needs cc)
  --help               print this help
`

const OPTIONS = {
  before: { type: 'string' },
  after: { type: 'string' },
  store: { type: 'string' },
  case: { type: 'string' },
  connections: { type: 'string', default: '50' },
  turns: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '6' },
  warmup: { type: 'string', default: '2' },
  stock: { type: 'string' },
  'slow-disk': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']

const programIn = (folder: string): string => {
  const places = ['bin/rollcall.cjs', 'node_modules/rollcall/bin/rollcall.cjs'].map((file) =>
    path.resolve(folder, file),
  )
  const found = places.find((file) => existsSync(file))
  if (found === undefined) throw new UsageError(`There is no packed release in ${folder}: ${places.join(', ')}.`)
  return found
}

/** What a process is started with, so that its flushes are slow. */
const slowDisk = (scratch: string): NodeJS.ProcessEnv => {
  const library = path.join(scratch, 'slow-disk.so')
  const source = path.join(import.meta.dirname, 'compare/slow-disk.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'inherit' })
  return { LD_PRELOAD: library }
}

const COLUMNS: readonly (readonly [head: string, figure: keyof TurnFigures, digits: number])[] = [
  ['answers/s', 'rate', 0],
  ['p50 ms', 'p50', 2],
  ['p99 ms', 'p99', 1],
  ['CPU µs', 'cost', 0],
  ['of the database', 'databaseCost', 0],
  ['denied %', 'denied', 0],
  ['mails/s', 'mails', 0],
  ['MB', 'memory', 0],
]

type Turns = Readonly<Record<Product['name'], TurnFigures[]>>

/** Medians with the least and the most, and the ratios of the medians. */
const printed = ({ before, after }: Turns): string => {
  const of = (turns: readonly TurnFigures[], figure: keyof TurnFigures) => spread(turns.map((turn) => turn[figure]))
  const cell = (turns: readonly TurnFigures[], figure: keyof TurnFigures, digits: number): string => {
    const { median, least, most } = of(turns, figure)
    return `${median.toFixed(digits)} (${least.toFixed(digits)}-${most.toFixed(digits)})`
  }
  const ratio = (figure: keyof TurnFigures): string => {
    const value = of(after, figure).median / of(before, figure).median
    return Number.isFinite(value) ? value.toFixed(2) : ''
  }
  const sum = (turns: readonly TurnFigures[], figure: 'missing' | 'extra') =>
    turns.reduce((total, turn) => total + turn[figure], 0)
  const row = (name: string, turns: readonly TurnFigures[]) => [
    name,
    ...COLUMNS.map(([, figure, digits]) => cell(turns, figure, digits)),
    ...[sum(turns, 'missing'), sum(turns, 'extra')],
  ]
  const ratios = ['after / before', ...COLUMNS.map(([, figure]) => ratio(figure)), '', '']
  return textTable({
    head: ['', ...COLUMNS.map(([head]) => head), 'missing', 'never asked for'],
    rows: [row('before', before), row('after', after), ratios],
    right: (column) => column > 0,
  })
}

const LOST = 3

await runCommand('bench:compare', async (args) => {
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const log = (line: string): void => void process.stderr.write(`${line}\n`)
  const { before, after, store, 'slow-disk': isSlow } = values
  const compareCase = CASES[values.case ?? '']
  if (compareCase === undefined) throw new UsageError(`--case must be one of ${Object.keys(CASES).join(', ')}.`)
  if (before === undefined) throw new UsageError('--before must name a packed release.')
  if (store !== 'sqlite' && store !== 'postgres') throw new UsageError('--store must be sqlite or postgres.')
  const [seconds, warmup] = [whole('seconds', values.seconds), whole('warmup', values.warmup)]
  const stock = values.stock === undefined ? compareCase.stock * (seconds + warmup) : whole('stock', values.stock)
  const [scratch, cores] = [makeScratch('compare'), findCores()]
  const environment = isSlow ? slowDisk(scratch) : {}
  // The database server is started with the environment of this process.
  Object.assign(process.env, environment)
  await using database = store === 'postgres' ? await DatabaseServer.start(scratch, cores.server) : undefined
  for (const name of Object.keys(environment)) delete process.env[name]
  const programs = { before: programIn(before), after: after === undefined ? workingTree() : programIn(after) }
  const contenders = []
  for (const name of ['before', 'after'] as const) {
    log(`preparing ${name}`)
    const product: Product = { name, program: programs[name], scratch, postgres: database?.url }
    contenders.push({ product, prepared: await compareCase.prepare(product, stock) })
  }
  const turns: Turns = { before: [], after: [] }
  for (let turn = 1; turn <= whole('turns', values.turns); turn++)
    for (const contender of turn % 2 === 1 ? contenders : contenders.toReversed()) {
      await database?.settle()
      const order = { ...contender, compareCase, seconds, warmup, cores, environment }
      const connections = whole('connections', values.connections)
      const figures = await takeTurn({ ...order, connections, databaseTime: () => database?.busy ?? 0 })
      const { name } = contender.product
      turns[name].push(figures)
      log(`${name} ${turn}: ${Math.round(figures.rate)}/s, missing ${figures.missing}, extra ${figures.extra}`)
    }
  process.stdout.write(`${values.case} on ${store}${isSlow ? ', slow disk' : ''}\n${printed(turns)}\n`)
  return [...turns.before, ...turns.after].some(({ missing, extra }) => missing + extra > 0) ? LOST : 0
})
