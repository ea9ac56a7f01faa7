import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

const PEOPLE = 400
const nameOf = (n: number): string => `Zqunmistakable${n.toString(36)}x ${'Y'.repeat(n % 40)}`
const emailOf = (n: number): string => `zqunmistakable-${n.toString(36)}x@example.com`

/** Everything in the folder, as one text; names and addresses are ASCII. */
const bytesOf = async (folder: string): Promise<string> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))).join('\n')
}

const foundOf = (text: string, people: readonly number[]): string[] =>
  people.flatMap((n) => [nameOf(n).slice(0, 20), emailOf(n)]).filter((trace) => text.includes(trace))

it('leaves no byte of any of many who are erased, while others come and go, soon after and after a stop', async () => {
  await using home = await Home.make({ LOG_LEVEL: 'debug' })
  const server = await home.serve()
  const token = await home.token('root', 'admin')
  const send = async (method: string, target: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${home.url}${target}`, { method, headers, ...sent })
    await answer.arrayBuffer()
    return answer.status
  }
  const come = async (n: number) => {
    const person = { email: emailOf(n), name: nameOf(n) }
    expect(await send('POST', '/subscribe', person)).toBe(200)
    expect(await send('PUT', `/users/u${n}`, { ...person, roles: n % 7 ? [] : ['auditor'] })).toBe(201)
  }
  const go = async (n: number) => expect(await send('DELETE', `/users/u${n}?subscriptions=erase`)).toBe(204)
  const everybody = Array.from({ length: PEOPLE }, (_, n) => n)
  const gone: number[] = []
  for (let first = 0; first < PEOPLE; first += 50) {
    await Promise.all(everybody.slice(first, first + 50).map(come))
    const leaving = everybody.slice(0, first + 50).filter((n) => (n * 7 + first) % 3 === 0 && !gone.includes(n))
    await Promise.all(leaving.map(go))
    gone.push(...leaving)
  }
  expect(gone.length).toBeGreaterThan(100)
  const staying = everybody.filter((n) => !gone.includes(n))
  const traffic = new AbortController()
  const others = (async () => {
    for (let n = PEOPLE; !traffic.signal.aborted; n++) {
      await come(n)
      await sleep(5)
    }
  })()
  let text = ''
  const traces = async () => {
    text = await bytesOf(home.folder)
    return foundOf(text, gone)
  }
  await eventually(async () => (await traces()).length === 0, 'that no file has a trace')
  expect(foundOf(text, staying)).toHaveLength(2 * staying.length)
  traffic.abort()
  await others
  const { stdout, stderr } = await server.kill('SIGTERM')
  expect(foundOf(await bytesOf(home.folder), gone)).toEqual([])
  expect(foundOf(`${stdout}${stderr}`, [...gone, ...staying])).toEqual([])
})
