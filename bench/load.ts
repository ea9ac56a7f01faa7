import path from 'node:path'
import { run } from './command.ts'
import { distinct, PLACEHOLDER } from './traffic.ts'

const SCRIPT = path.join(import.meta.dirname, 'wrk.lua')

/** One thread of wrk. It costs half as much as autocannon, so it becomes the bottleneck later. */
const measureWithWrk = async (order: LoadOrder): Promise<LoadReport> => {
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
const measureWithAutocannon = async (order: LoadOrder): Promise<LoadReport> =>
  JSON.parse(await run(process.execPath, [PROCESS, JSON.stringify(order)], order.core))

/** Requests that differ only in their number, which replaces the placeholder in the path or the body. */
export interface Traffic {
  readonly method: 'POST' | 'DELETE' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LoadOrder {
  readonly url: string
  readonly traffic: Traffic
  readonly connections: number
  readonly seconds: number
  /** The number of the first request. */
  readonly first: number
  /** The core to run on, if any. */
  readonly core: number | undefined
}

export interface LoadReport {
  /** The number of the request after the last. */
  readonly next: number
  /** The real duration. */
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Connections refused or broken, and requests without an answer in time. */
  readonly errors: number
  /** How many answers came with each status. */
  readonly statuses: Readonly<Record<string, number>>
}

export type GeneratorName = 'wrk' | 'autocannon'

export const GENERATORS: Readonly<Record<GeneratorName, (order: LoadOrder) => Promise<LoadReport>>> = {
  wrk: measureWithWrk,
  autocannon: measureWithAutocannon,
}

export const answered = ({ statuses }: LoadReport): number =>
  Object.values(statuses).reduce((sum, count) => sum + count, 0)
