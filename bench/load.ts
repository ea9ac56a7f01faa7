import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pinned, run } from './command.ts'
import { distinct, PLACEHOLDER } from './traffic.ts'

const SCRIPT = path.join(import.meta.dirname, 'wrk.lua')

/** One thread of wrk. It costs half as much as autocannon, so it becomes the bottleneck later. */
const wrk: Command = ({ url, traffic, connections, seconds, first, names }) => {
  const settings = ['--threads', '1', '--connections', `${connections}`, '--duration', `${seconds}s`]
  const script = ['--timeout', '10s', '--script', SCRIPT, url, '--', `${first}`, wireFormat(traffic, new URL(url).host)]
  return ['wrk', [...settings, ...script, ...(names === undefined ? [] : [names])]]
}

const wireFormat = ({ method, path, headers, body }: Traffic, host: string): string => {
  const fields = { Host: host, ...headers, ...(body === '' ? {} : { 'Content-Length': lengthOf(body) }) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

const lengthOf = (body: string): string => String(Buffer.byteLength(body.replaceAll(PLACEHOLDER, distinct(0))))

const PROCESS = path.join(import.meta.dirname, 'autocannon-process.ts')

/** Autocannon in a process of its own, so that it can be pinned to a core. */
const autocannon: Command = (order) => [process.execPath, [PROCESS, JSON.stringify(order)]]

/** A program that prints a report as a line of JSON when its time is over, or on SIGINT. */
type Command = (order: LoadOrder) => [program: string, args: string[]]

const COMMANDS = { wrk, autocannon } as const

export type GeneratorName = keyof typeof COMMANDS

export const GENERATOR_NAMES = Object.keys(COMMANDS) as GeneratorName[]

/** Puts a server under load. */
export const generate = async (generator: GeneratorName, order: LoadOrder): Promise<LoadReport> =>
  reportIn(await run(...COMMANDS[generator](order), order.core))

const reportIn = (output: string): LoadReport => {
  const report = output.split('\n').find((line) => line.startsWith('{'))
  if (report === undefined) throw new Error(`The load generator reported nothing: ${output}`)
  return JSON.parse(report)
}

/** Load that rests at times, with its requests on their way. */
export class RestingLoad implements Disposable {
  readonly #child: ChildProcess
  readonly #output: Promise<string>

  /** It goes on until it is ended. */
  constructor(generator: GeneratorName, order: Omit<LoadOrder, 'seconds'>) {
    const [program, args] = COMMANDS[generator]({ ...order, seconds: A_DAY })
    const child = spawn(...pinned(order.core, program, args), { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    this.#output = text(child.stdout)
  }

  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  proceed(): void {
    this.#child.kill('SIGCONT')
  }

  /** Its seconds and latencies have the rests in them. */
  async end(): Promise<LoadReport> {
    this.proceed()
    // Any thread of wrk may take a signal that comes while it wakes up, but only its main thread heeds it.
    const asking = setInterval(() => this.#child.kill('SIGINT'), 50)
    return reportIn(await this.#output.finally(() => clearInterval(asking)))
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL')
  }
}

const A_DAY = 86_400

/** Requests that differ only in their number, which replaces the placeholders in the path and the body. */
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
  /**
   * A file with a line for each number, which stands in place of it; the load ends when four fifths have been asked for. wrk
   * reads it, autocannon does not.
   */
  readonly names?: string | undefined
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

export const answered = ({ statuses }: LoadReport): number =>
  Object.values(statuses).reduce((sum, count) => sum + count, 0)
