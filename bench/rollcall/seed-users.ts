import { Agent, request } from 'node:http'
import { distinct } from '../distinct.ts'

const AT_ONCE = 64

/** Creates the users that deletions will ask for, as an administrator would: over HTTP, many at a time. */
export const seedUsers = async (url: string, token: string, count: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const numbers = Array.from({ length: count }, (_, number) => number).values()
  const work = async (): Promise<void> => {
    for (const number of numbers) {
      const status = await put(agent, url, token, distinct(number))
      if (status !== 201) throw new Error(`seeding a user was answered ${status}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    agent.destroy()
  }
}

const put = (agent: Agent, url: string, token: string, digits: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ email: `user.${digits}@example.com`, name: 'Brian Smith', roles: ['auditor'] })
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }
    const asked = request(`${url}/users/user-${digits}`, { agent, method: 'PUT', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    asked.on('error', reject)
    asked.end(body)
  })
