import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import type { BenchCase } from './cases/bench-case.ts'
import { isInstalled, pinSelf } from './cores.ts'
import { DatabaseServer } from './database-server.ts'
import type { Options } from './options.ts'
import { buildProduct, programIn } from './packed-product.ts'
import { BEFORE, type CaseReport } from './report.ts'
import type { Figures, Setting, Store, Turn } from './setting.ts'

const TMPFS = 0x01_02_19_94

/** A new folder that goes with this process: on the disk of the project, and where packages are found from. */
const makeScratch = (log: Log): string => {
  const cache = path.join(import.meta.dirname, '../../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(path.join(cache, 'bench-'))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  if (statfsSync(scratch).type === TMPFS) log('warning: this folder is in memory, so durable writes cost nothing')
  return scratch
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
  const scratch = makeScratch(log)
  const { seconds, rows } = options
  const programs = [
    { name: 'this', program: options.product ? programIn(options.product) : buildProduct(`${scratch}/product`) },
  ]
  if (options.against !== undefined) programs.push({ name: BEFORE, program: programIn(options.against) })
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
