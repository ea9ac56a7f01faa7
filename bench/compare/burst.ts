import { Agent, request } from 'node:http'
import type { Traffic } from '../load.ts'
import { PLACEHOLDER } from '../traffic.ts'

interface BurstOrder {
  readonly url: string
  readonly traffic: Traffic
  readonly status: number
  readonly connections: number
  readonly first: number
  /** What stands in place of each number; undefined when there is none left. */
  readonly nameOf: (number: number) => string | undefined
}

interface Burst {
  /** The number after the last that was asked for. */
  readonly next: number
  /** The numbers of the requests whose answer came whole, and as it should be. */
  readonly acknowledged: readonly number[]
}

/** Load that keeps a list, on each connection until a request on it fails: for as long as the service lives. */
export const burst = async (order: BurstOrder): Promise<Burst> => {
  const { status, connections, nameOf } = order
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const acknowledged: number[] = []
  let next = order.first
  const work = async (): Promise<void> => {
    for (;;) {
      const number = next
      const name = nameOf(number)
      if (name === undefined) return
      next++
      const answered = await ask(agent, order, name)
      if (answered === undefined) return
      if (answered !== status) throw new Error(`a request before the kill was answered ${answered}`)
      acknowledged.push(number)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, work))
  } finally {
    agent.destroy()
  }
  return { next, acknowledged }
}

/** The status; undefined where no answer came, or not all of it. */
const ask = (agent: Agent, { url, traffic }: BurstOrder, name: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const { method, headers } = traffic
    const body = traffic.body.replaceAll(PLACEHOLDER, name)
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const options = { agent, method, headers: { ...headers, ...length } }
    const asked = request(`${url}${traffic.path.replaceAll(PLACEHOLDER, name)}`, options, (response) => {
      response.resume().on('close', () => resolve(response.complete ? response.statusCode : undefined))
    })
    asked.on('error', () => resolve(undefined))
    asked.end(body)
  })
