import { Agent, get } from 'node:http'
import { RARE_FEED } from './population.ts'

/** Every kind of filter, those that match nearly nothing included. */
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
export interface ListPages {
  readonly filter: string
  readonly first: readonly number[]
  /** From behind the last subscription but 200. */
  readonly last: readonly number[]
}

/** Asks for the first page and the last one of every filter, again and again, one at a time. */
export const timeListPages = async (url: string, token: string, rows: number): Promise<ListPages[]> => {
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
