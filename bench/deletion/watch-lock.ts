import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'

/** For how many milliseconds at a time the write lock of a database was held. */
export interface LockFigures {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly most: number
  /** How often for more than 20. */
  readonly over: number
}

const WATCHER = path.join(import.meta.dirname, 'lock-watcher.ts')

/** Watches the lock while the work goes on; undefined where the system does not tell who holds one. */
export const watchLock = async (database: string, work: () => Promise<unknown>): Promise<LockFigures | undefined> => {
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
  const [told, ended] = [text(watcher.stdout), once(watcher, 'close')]
  try {
    await work()
  } finally {
    watcher.kill('SIGTERM')
    await ended
    process.off('exit', killIt)
  }
  return JSON.parse(await told)
}
