// Polls which process holds the write lock of a database, without opening it, until its standard input ends.
// Argument: the index of the database's log. Prints {count, p50, p99, most, over} in milliseconds as JSON.
// It polls, and takes two holds between two looks for one: its holds are rather too long than too short.
import { readFileSync, statSync } from 'node:fs'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY = 0.3
const ALLOWED = 20
/** @see https://sqlite.org/walformat.html#wal_locks */
const WRITE_LOCK = '120 120'

const index = process.argv[2] ?? ''
const microseconds = createHistogram()
let [since, over, ended] = [Number.NaN, 0, false]
process.once('SIGTERM', () => {
  ended = true
})

const inode = (): string | undefined => {
  const found = statSync(index, { throwIfNoEntry: false })
  return found && `:${found.ino} ${WRITE_LOCK}`
}

const glance = (lock: string): void => {
  const [held, now] = [readFileSync('/proc/locks', 'utf8').includes(lock), performance.now()]
  if (held && Number.isNaN(since)) since = now
  if (held || Number.isNaN(since)) return
  microseconds.record(Math.max(1, Math.round((now - since) * 1_000)))
  if (now - since > ALLOWED) over++
  since = Number.NaN
}

let lock: string | undefined
while (!ended) {
  lock ??= inode()
  if (lock !== undefined) glance(lock)
  for (const until = performance.now() + EVERY; performance.now() < until; );
  await sleep(0)
}
const [p50, p99] = [50, 99].map((percent) => microseconds.percentile(percent) / 1_000)
process.stdout.write(JSON.stringify({ count: microseconds.count, p50, p99, most: microseconds.max / 1_000, over }))
