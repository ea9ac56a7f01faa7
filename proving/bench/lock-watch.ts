import { existsSync, readFileSync, statSync } from 'node:fs'
import { isMainThread, parentPort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads'

const EVERY = 0.3
/** @see https://sqlite.org/walformat.html#wal_locks */
const WRITE_LOCK = '120 120'

/** How long the write lock of a SQLite database was held each time, in milliseconds. */
interface Held {
  readonly p99: number
  readonly most: number
}

/** Watches it during the work, without opening the database; nothing if the system does not show who holds locks. */
export const watchLock = async <Result>(database: string, work: () => Promise<Result>) => {
  const log = `${database}-shm`
  if (!existsSync('/proc/locks') || !existsSync(log)) return { result: await work() }
  const worker = new Worker(new URL(import.meta.url), { workerData: `:${statSync(log).ino} ${WRITE_LOCK}` })
  const { promise, resolve } = Promise.withResolvers<Held>()
  worker.once('message', resolve)
  const result = await work().finally(() => worker.postMessage('end'))
  return { result, held: await promise }
}

if (!isMainThread && parentPort) {
  const holds: number[] = []
  // It polls, and takes two holds between two looks for one: its holds are rather too long than too short.
  const [never, lock] = [new Int32Array(new SharedArrayBuffer(4)), String(workerData)]
  for (let since = Number.NaN; receiveMessageOnPort(parentPort) === undefined; Atomics.wait(never, 0, 0, EVERY)) {
    const [held, now] = [readFileSync('/proc/locks', 'utf8').includes(lock), performance.now()]
    if (held && Number.isNaN(since)) since = now
    if (held || Number.isNaN(since)) continue
    holds.push(now - since)
    since = Number.NaN
  }
  holds.sort((a, b) => a - b)
  parentPort.postMessage({ p99: holds[Math.ceil(holds.length * 0.99) - 1] ?? 0, most: holds.at(-1) ?? 0 })
}
