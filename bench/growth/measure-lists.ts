import { cp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import path from 'node:path'
import type { Cores } from '../command.ts'
import { rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import { percentile } from '../statistics.ts'
import type { Grown, Size } from './growth.ts'
import { RARE_FEED } from './population.ts'

/** Every kind of filter, including those that match very little. */
const FILTERS: Readonly<Record<string, string>> = {
  'no filter': '',
  'a feed': 'feed=default',
  'a feed of 5': `feed=${RARE_FEED}`,
  'a status': 'status=confirmed',
  'a status of 5': 'status=ended',
  'feed and status': 'feed=default&status=confirmed',
  'feed and status of none': `feed=${RARE_FEED}&status=pending`,
}

const ASKED = 100

/** How long pages of one filter took, in milliseconds each. */
interface ListPages {
  readonly filter: string
  readonly first: readonly number[]
  /** The last 200 subscriptions. */
  readonly last: readonly number[]
}

/** Fetches the first and the last page of every filter repeatedly, one at a time. */
const timeListPages = async (url: string, token: string, rows: number): Promise<ListPages[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const time = async (filter: string, cursor: string): Promise<number[]> => {
    const taken: number[] = []
    for (let n = 0; n < ASKED; n++) taken.push(await timeOf(agent, `${url}/subscriptions?${filter}${cursor}`, token))
    return taken
  }
  try {
    const pages: ListPages[] = []
    const nearTheEnd = `&cursor=${Math.max(1, rows - 200)}`
    for (const [name, filter] of Object.entries(FILTERS))
      pages.push({ filter: name, first: await time(filter, ''), last: await time(filter, nearTheEnd) })
    return pages
  } finally {
    agent.destroy()
  }
}

const timeOf = (agent: Agent, url: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const asked = get(url, { agent, headers: { Authorization: `Bearer ${token}` } }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began)
        else reject(new Error(`a list page was answered ${response.statusCode}`))
      })
    })
    asked.on('error', reject)
  })

/** Milliseconds, at one size, over all repetitions. */
export interface ListFigures {
  readonly rows: number
  readonly filter: string
  readonly p50: number
  readonly p99: number
  /** For the last page alone; the others cover first and last pages. */
  readonly lastP50: number
}

export const measureLists = async (order: {
  rows: Readonly<Record<Size, number>>
  grown: (size: Size) => Promise<Grown>
  reps: number
  scratch: string
  cores: Cores
}): Promise<ListFigures[]> => {
  const found = { small: [] as ListPages[], large: [] as ListPages[] }
  for (let repetition = 0; repetition < order.reps; repetition++)
    for (const size of ['small', 'large'] as const) {
      const folder = path.join(order.scratch, `lists-${size}-${repetition}`)
      const { folder: template, token } = await order.grown(size)
      await cp(template, folder, { recursive: true })
      {
        await using server = await Server.start({ ...(await rollcall(folder, {})), core: order.cores.server })
        found[size].push(...(await timeListPages(server.url, token, order.rows[size])))
      }
      await rm(folder, { recursive: true })
    }
  return (['small', 'large'] as const).flatMap((size) => figuresOf(order.rows[size], found[size]))
}

const figuresOf = (rows: number, pages: readonly ListPages[]): ListFigures[] =>
  [...Map.groupBy(pages, ({ filter }) => filter)].map(([filter, all]) => {
    const last = all.flatMap((page) => page.last)
    const both = [...all.flatMap((page) => page.first), ...last]
    return { rows, filter, p50: percentile(both, 50), p99: percentile(both, 99), lastP50: percentile(last, 50) }
  })
