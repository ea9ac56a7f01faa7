// Argument: a LoadOrder as JSON. Prints a LoadReport as JSON.
import { createHistogram } from 'node:perf_hooks'
import autocannon from 'autocannon'
import type { LoadOrder, LoadReport } from './load.ts'
import { distinct, PLACEHOLDER } from './traffic.ts'

const order: LoadOrder = JSON.parse(process.argv[2] ?? '')
const { url, connections, seconds, traffic } = order
// Autocannon's own figures are whole milliseconds, and classes of statuses.
const microseconds = createHistogram()
const statuses: Record<string, number> = {}
let next = order.first

const request: autocannon.Request = { method: traffic.method, path: traffic.path, headers: { ...traffic.headers } }
if (traffic.body !== '') request.body = traffic.body
if (`${traffic.path}${traffic.body}`.includes(PLACEHOLDER)) {
  request.setupRequest = (template) => {
    const digits = distinct(next++)
    template.path = traffic.path.replace(PLACEHOLDER, digits)
    if (traffic.body !== '') template.body = traffic.body.replace(PLACEHOLDER, digits)
    return template
  }
}

const instance = autocannon({ url, connections, duration: seconds, requests: [request] }, (error, result) => {
  if (error) throw error
  const report: LoadReport = {
    next,
    seconds: result.duration,
    p50: microseconds.percentile(50) / 1_000,
    p99: microseconds.percentile(99) / 1_000,
    errors: result.errors + result.timeouts + result.resets,
    statuses,
  }
  process.stdout.write(JSON.stringify(report))
})
instance.on('response', (_client, status, _bytes, milliseconds) => {
  microseconds.record(Math.max(1, Math.round(milliseconds * 1_000)))
  statuses[status] = (statuses[status] ?? 0) + 1
})
