import { execFileSync } from 'node:child_process'
import { existsSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../shared/check.ts'
import { build, scratchFolder } from '../shared/service.ts'
import type { BenchCase } from './cases/bench-case.ts'
import { isInstalled, pinSelf } from './cores.ts'
import { DatabaseServer } from './database-server.ts'
import { BEFORE, type CaseReport } from './report.ts'
import type { Figures, Setting, Store, Turn } from './setting.ts'

const TMPFS = 0x01_02_19_94

interface Options {
  /** Folders; empty for this clone, and for nothing. */
  readonly product: string
  readonly against: string
  readonly cases: readonly BenchCase[]
  readonly stores: readonly Store[]
  readonly turns: number
  readonly seconds: number
  readonly rows: number
  readonly slowDisk: boolean
}

/**
 * The command of a packed release: of the folder itself, or installed in it.
 * @throws {UsageError} there is none
 */
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
  const source = path.join(import.meta.dirname, 'slow-disk.c')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'inherit' })
  return { LD_PRELOAD: library }
}

type Log = (line: string) => void

interface Contender {
  readonly name: string
  readonly turn: Turn
  readonly turns: Figures[]
}

/** Measures the cases that are asked for, and hands on the report of each. */
export const runBench = async (options: Options, log: Log, report: (one: CaseReport) => void): Promise<void> => {
  const scratch = scratchFolder()
  if (statfsSync(scratch).type === TMPFS) log('warning: this folder is in memory, so durable writes cost nothing')
  const { seconds, rows } = options
  const { product, against } = options
  const programs = [{ name: 'this', program: product === '' ? build(`${scratch}/product`) : programIn(product) }]
  if (against !== '') programs.push({ name: BEFORE, program: programIn(against) })
  const environment = options.slowDisk ? slowDisk(scratch) : {}
  await using servers = new AsyncDisposableStack()
  let starting: Promise<DatabaseServer> | undefined
  const database = () => {
    // The server is started with the environment of this process.
    Object.assign(process.env, environment)
    starting ??= DatabaseServer.start(scratch).then((server) => servers.use(server))
    return starting.finally(() => Object.keys(environment).forEach((name) => void delete process.env[name]))
  }
  pinSelf('load')
  const setting: Setting = { scratch, seconds, warmup: Math.ceil(seconds / 3), rows, environment, database }
  const peers: Record<string, Promise<Turn>> = {}
  const contendersOf = async (benchCase: BenchCase, store: Store): Promise<Contender[]> => {
    const contenders: Contender[] = []
    for (const { name, program } of programs)
      contenders.push({ name, turn: await benchCase.prepare({ name, program, store }, setting), turns: [] })
    const { peer } = benchCase
    if (peer === undefined) return contenders
    if (isInstalled(peer.name)) {
      peers[peer.name] ??= peer.prepare(setting)
      const turn = await peers[peer.name]
      if (turn !== undefined) contenders.push({ name: peer.name, turn, turns: [] })
    } else log(`${peer.name} is not on PATH, so ${benchCase.name} is not compared with it`)
    return contenders
  }
  for (const benchCase of options.cases)
    for (const store of options.stores.filter((one) => benchCase.stores?.includes(one) ?? true)) {
      log(`${benchCase.name} on ${store}: preparing`)
      const contenders = await contendersOf(benchCase, store)
      for (let turn = 1; turn <= options.turns; turn++)
        for (const contender of turn % 2 === 1 ? contenders : contenders.toReversed()) {
          log(`${benchCase.name} on ${store}: ${contender.name}, turn ${turn} of ${options.turns}`)
          contender.turns.push(await contender.turn())
        }
      report({ benchCase, store, contenders })
    }
}
