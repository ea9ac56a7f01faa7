import autocannon from 'autocannon'

/** Requests that differ in a name. */
export interface Traffic {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly path: (name: string) => string
  readonly body?: (name: string) => string
  readonly status: number
  /** Of each request, by its number; as many as there are if they are a list. */
  readonly names: readonly string[] | ((number: number) => string)
}

interface LoadOrder {
  /** Connections are shared between several. */
  readonly urls: readonly string[]
  readonly traffic: Traffic
  readonly connections: number
  readonly seconds: number
  /** The number of the first request. */
  readonly first: number
  /** The load ends with the request before this number. */
  readonly last?: number
  /** Requests a second; as fast as answers come without it. */
  readonly rate?: number
  /** Whether the server may die, which ends the load. */
  readonly mortal?: boolean
}

export interface Answers {
  /** The numbers of the requests that were answered as they should be. */
  readonly acknowledged: readonly number[]
  /** The number after the last that was asked for. */
  readonly next: number
  readonly seconds: number
  /** Milliseconds; the share is from 0 to 1. */
  readonly percentile: (share: number) => number
}

interface RunningLoad {
  readonly answers: Promise<Answers>
  stop(): void
}

/** Ends of the load are looked for so often, in milliseconds. */
const LOOK_EVERY = 100

const SPACE = 1_000_000_000
// Coprime to SPACE, so that numbers below it stay distinct.
const STEP = 7_368_787

/** Nine digits for each number, distinct and unordered: real addresses do not come sorted, which would help an index. */
export const distinct = (number: number): string => String((number * STEP) % SPACE).padStart(9, '0')

export const nameOf = (names: Traffic['names'], number: number): string =>
  typeof names === 'function' ? names(number) : (names[number] ?? '')

/** Puts servers under load. The answers are rejected if a request was not answered, or not as it should be. */
export const load = (order: LoadOrder): RunningLoad => {
  const { urls, traffic, connections, seconds, first, rate, mortal = false } = order
  const { method, headers, names, status } = traffic
  const last = order.last ?? (typeof names === 'function' ? Number.POSITIVE_INFINITY : names.length)
  const acknowledged: number[] = []
  const latencies: number[] = []
  const faults = new Map<string, number>()
  const note = (fault: string): void => void faults.set(fault, (faults.get(fault) ?? 0) + 1)
  let next = first
  const began = performance.now()
  let ended = began
  const request: autocannon.Request = {
    method,
    headers: { ...headers },
    setupRequest: (template, context: { number?: number }) => {
      // Every connection asks until all have stopped: once more for what is done already, which counts for nothing.
      const isLeft = next < last
      if (!isLeft) instance?.stop()
      const number = isLeft ? next++ : (acknowledged[0] ?? first)
      if (isLeft) context.number = number
      const name = nameOf(names, number)
      return { ...template, path: traffic.path(name), ...(traffic.body && { body: traffic.body(name) }) }
    },
    onResponse: (answered, _body, context: { number?: number }) => {
      if (context.number === undefined) return
      if (answered === status) acknowledged.push(context.number)
      else note(`answered ${answered}`)
    },
  }
  let instance: autocannon.Instance | undefined
  const answers = new Promise<Answers>((resolve, reject) => {
    const rates = rate === undefined ? {} : { overallRate: rate }
    // Its types know of one only.
    const url = urls as unknown as string
    const options = { url, connections, duration: seconds, sampleInt: LOOK_EVERY, requests: [request] }
    instance = autocannon({ ...options, ...rates }, (error) => {
      if (error) return reject(error)
      // At the end each connection may have a request on its way.
      const unanswered = next - first - acknowledged.length
      if (faults.size === 0 && !mortal && unanswered > connections) note(`${unanswered} requests without an answer`)
      const said = [...faults].map(([fault, count]) => `${count} x ${fault}`).join(', ')
      if (said !== '') return reject(new Error(`${method} ${traffic.path('...')}: ${said}, not ${status}`))
      const sorted = Float64Array.from(latencies).sort()
      const percentile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
      resolve({ acknowledged, next, seconds: (ended - began) / 1_000, percentile })
    })
    instance.on('response', (_client, _status, _bytes, milliseconds) => {
      ended = performance.now()
      latencies.push(milliseconds)
    })
    instance.on('reqError', (error) => {
      if (mortal) instance?.stop()
      else note(error.message)
    })
  })
  return { answers, stop: () => instance?.stop() }
}
