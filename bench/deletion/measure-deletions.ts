import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { YOUNG_SPACE } from '../../proving/shared/service.ts'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { command, commandOrder, databaseIn, makeTemplate, product } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { runSampled, type Sampled } from '../run-sampled.ts'
import { type Spread, spread } from '../statistics.ts'
import { distinct } from '../traffic.ts'

/** How long the write lock of a database was held each time, in milliseconds. */
interface LockFigures {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly most: number
  /** How often for more than 20. */
  readonly over: number
}

const WATCHER = path.join(import.meta.dirname, 'lock-watcher.ts')

/** Watches the lock during the work; undefined where the system does not show who holds locks. */
const watchLock = async (database: string, work: () => Promise<unknown>): Promise<LockFigures | undefined> => {
  if (!existsSync('/proc/locks')) {
    await work()
    return undefined
  }
  const watcher = spawn(process.execPath, [WATCHER, `${database}-shm`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const killIt = (): void => {
    watcher.kill('SIGKILL')
  }
  process.once('exit', killIt)
  await once(watcher, 'spawn')
  const [output, ended] = [text(watcher.stdout), once(watcher, 'close')]
  try {
    await work()
  } finally {
    watcher.kill('SIGTERM')
    await ended
    process.off('exit', killIt)
  }
  return JSON.parse(await output)
}

const USERS = 100_000
const ROUNDS = 20

/** What `rollcall user delete` costs. */
export interface DeletionFigures {
  readonly users: number
  /** Of a list in no order: users a second, from the start of the process to its end. */
  readonly rate: Spread
  /** Microseconds of a processor for each user. */
  readonly cost: Spread
  /** How long the write lock was held, in a separate run; undefined where the system does not show it. */
  readonly held: LockFigures | undefined
  /** Bytes. */
  readonly resident: Spread
  /** Milliseconds of a whole process. */
  readonly bareNode: Spread
  /** The same, of one user. */
  readonly one: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

/** @throws {Error} a user is left, or has no audit record */
export const measureDeletions = async ({ options, scratch, cores }: Order): Promise<DeletionFigures> => {
  const template = path.join(scratch, 'bulk')
  await makeTemplate(template, { subject: 'bench-admin', roles: ['admin'], users: USERS }, cores)
  const list = path.join(scratch, 'leavers')
  await writeFile(list, Array.from({ length: USERS }, (_, number) => `user-${distinct(number)}`).join('\n'))
  const afresh = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
    const folder = path.join(scratch, 'bulk-run')
    await cp(template, folder, { recursive: true })
    const result = await work(folder)
    requireAllDeleted(databaseIn(folder))
    await rm(folder, { recursive: true })
    return result
  }
  const deleteAll = (folder: string): Promise<Sampled> => runSampled(started(folder, '--from', list, '--yes'))
  const runs: Sampled[] = []
  for (let repetition = 1; repetition <= options.reps; repetition++) runs.push(await afresh(deleteAll))
  const held = await afresh((folder) => watchLock(databaseIn(folder), () => deleteAll(folder)))
  await rm(template, { recursive: true })
  return {
    users: USERS,
    rate: spread(runs.map(({ seconds }) => USERS / seconds)),
    cost: spread(runs.map(({ busy }) => (busy * 1e6) / USERS)),
    held,
    resident: spread(runs.map(({ resident }) => resident)),
    ...(await measureOne(path.join(scratch, 'one'))),
  }
}

const measureOne = async (folder: string) => {
  await mkdir(folder)
  await command(folder, 'migrate')
  const [bare, one] = [[] as number[], [] as number[]]
  for (let round = 0; round < ROUNDS; round++) {
    const id = `user-${round}`
    await command(folder, 'user', 'put', id, '--email', `${id}.mail@example.com`)
    const order = { ...started(folder), args: ['-e', '0'] }
    bare.push((await runSampled(order)).seconds * 1_000)
    one.push((await runSampled(started(folder, id, '--yes'))).seconds * 1_000)
  }
  await rm(folder, { recursive: true })
  return { bareNode: spread(bare), one: spread(one) }
}

/** The way in which the first line of the program starts it. */
const started = (folder: string, ...args: readonly string[]) => ({
  ...commandOrder(folder),
  program: process.execPath,
  args: [YOUNG_SPACE, product(), 'user', 'delete', ...args],
})

const requireAllDeleted = (database: string): void => {
  const left = countRows(database, 'SELECT count(*) FROM user_account')
  const recorded = countRows(
    database,
    "SELECT count(DISTINCT target) FROM audit_record WHERE action = 'user.delete' AND outcome = 'done'",
  )
  if (left !== 0 || recorded !== USERS) throw new Error(`${left} users are left, ${recorded} deletions are on record`)
}
