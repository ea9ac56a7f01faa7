// Signs up at a fixed rate (open loop), and measures from the time at which each request was due.
// Argument: {url, rate, seconds, prefix} as JSON. Prints {p50, p99} in milliseconds as JSON.
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignUps } from './sign-up.ts'

const CONNECTIONS = 64

const { url, rate, seconds, prefix } = JSON.parse(process.argv[2] ?? '')
using signUps = new SignUps(url, CONNECTIONS)
const microseconds = createHistogram()
const asked: Promise<unknown>[] = []
const began = performance.now()
for (let number = 0; number < seconds * rate; number++) {
  const due = began + (number * 1_000) / rate
  const early = due - performance.now()
  if (early > 0) await sleep(early)
  const answer = signUps.signUp(`${prefix}.${number}@example.com`)
  asked.push(answer.then(() => microseconds.record(Math.max(1, Math.round((performance.now() - due) * 1_000)))))
}
await Promise.all(asked)
const [p50, p99] = [50, 99].map((percent) => microseconds.percentile(percent) / 1_000)
process.stdout.write(JSON.stringify({ p50, p99 }))
