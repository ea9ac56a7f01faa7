import path from 'node:path'
import { run } from '../command.ts'
import type { LoadOrder, LoadReport, Traffic } from '../load.ts'
import { distinct, PLACEHOLDER } from '../traffic.ts'

const SCRIPT = path.join(import.meta.dirname, 'wrk.lua')

/** One thread of wrk. It costs half as much as autocannon, so it becomes the bottleneck later. */
export const measureWithWrk = async (order: LoadOrder): Promise<LoadReport> => {
  const { url, traffic, connections, seconds, first, core } = order
  const settings = ['--threads', '1', '--connections', `${connections}`, '--duration', `${seconds}s`]
  const script = ['--timeout', '10s', '--script', SCRIPT, url, '--', `${first}`, wireFormat(traffic, new URL(url).host)]
  const output = await run('wrk', [...settings, ...script], core)
  const report = output.split('\n').find((line) => line.startsWith('{'))
  if (report === undefined) throw new Error(`wrk reported nothing: ${output}`)
  return JSON.parse(report)
}

const wireFormat = ({ method, path, headers, body }: Traffic, host: string): string => {
  const fields = { Host: host, ...headers, ...(body === '' ? {} : { 'Content-Length': lengthOf(body) }) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

const lengthOf = (body: string): string => String(Buffer.byteLength(body.replace(PLACEHOLDER, distinct(0))))

const PROCESS = path.join(import.meta.dirname, 'autocannon-process.ts')

/** Autocannon in a process of its own, so that it can be pinned to a core. */
export const measureWithAutocannon = async (order: LoadOrder): Promise<LoadReport> =>
  JSON.parse(await run(process.execPath, [PROCESS, JSON.stringify(order)], order.core))
