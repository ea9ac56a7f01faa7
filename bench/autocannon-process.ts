// Argument: a LoadOrder as JSON. Prints a LoadReport as JSON.
import autocannon from 'autocannon'
import { percentiles } from './latency.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { distinct, PLACEHOLDER } from './traffic.ts'

const order: LoadOrder = JSON.parse(process.argv[2] ?? '')
const { url, connections, seconds, traffic } = order
// Autocannon's own figures are whole milliseconds, and classes of statuses.
const latencies: number[] = []
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
  const latency = percentiles(latencies, (result.duration * 1_000 * connections) / latencies.length)
  const report: LoadReport = {
    next,
    seconds: result.duration,
    p50: latency(0.5),
    p99: latency(0.99),
    errors: result.errors + result.timeouts + result.resets,
    statuses,
  }
  process.stdout.write(JSON.stringify(report))
})
instance.on('response', (_client, status, _bytes, milliseconds) => {
  latencies.push(milliseconds)
  statuses[status] = (statuses[status] ?? 0) + 1
})
process.on('SIGINT', () => instance.stop())
