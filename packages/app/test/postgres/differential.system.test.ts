import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'
import { corpus, LISTS, send } from './raw-requests.ts'

const LIST = { method: 'GET', target: '/subscriptions?limit=1' }

const SETTINGS = {
  SECRET: 'one secret for both, so that ids and links are the same',
  PUBLIC_URL: 'https://rollcall.example',
  LOG_LEVEL: 'silent',
}

/** What depends on the moment, and on nothing else. */
const timeless = (answer: string): string =>
  answer
    .replace(/^Date: .*$/gim, 'Date')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, 'T')
    .replace(/^ETag: .*$/gim, 'ETag')
    // The second before, within the second of a change.
    .replace(/^Last-Modified: .*\r?\n/gim, '')
    .replace(/[0-9a-f]{64}/g, 'HASH')
    .replace(/token [\w-]{22}/g, 'token')
    // Refusals and reads are gathered for up to a second, so their place in the trail is a matter of time.
    .replace(/"audit":\[[\s\S]*$/, '"audit"')
    .replace(/("id":"\d+)-\d{13}/g, '$1')
    .replace(
      /^Content-Length: \d+([\s\S]*)\{"items":\[\{"id":\d+,"sequence":[\s\S]*"(?:action":"\w+\.read"|outcome":"(?!done))[\s\S]*$/im,
      '$1"with what was gathered"',
    )

interface AuditRecord {
  readonly action: string
  readonly outcome: string
}

/** The records of a trail that are written at once, in their order. */
const changesIn = (answer: string): readonly unknown[] => {
  const { items } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { items: readonly AuditRecord[] }
  return items
    .filter(({ action, outcome }) => outcome === 'done' && !action.endsWith('.read'))
    .map((record) => timeless(JSON.stringify({ ...record, id: undefined, sequence: undefined })))
}

/** Every page of a list, twenty-five items on each. */
const walk = async (port: number, list: string, token: string): Promise<string> => {
  const pages: string[] = []
  let cursor = ''
  do {
    const target = `${list}${list.includes('?') ? '&' : '?'}limit=25${cursor}`
    const answer = await send(port, { method: 'GET', target }, token)
    const next = /"next":"([^"]+)"/.exec(answer)?.[1]
    if (list.startsWith('/audit')) pages.push(...changesIn(answer).map(String))
    // A cursor means something to its own database only: PostgreSQL leaves out places of what was refused.
    else pages.push(timeless(answer).replace(/"next":"[^"]+"/, '"next"'))
    cursor = next === undefined ? '' : `&${list === '/events' ? 'after' : 'cursor'}=${encodeURIComponent(next)}`
  } while (cursor !== '' && pages.length < 500)
  return pages.join('\n')
}

it('every request, good or bad, is answered with the same bytes on SQLite and on PostgreSQL', async () => {
  await using database = await Database.make()
  await using sqlite = await Home.make(SETTINGS)
  await sqlite.serve()
  const token = await sqlite.token('root', 'admin')
  await using postgres = await Home.make({ ...SETTINGS, DATABASE_URL: database.url })
  await postgres.takeKeysOf(sqlite)
  await postgres.serve()
  // So that both trails begin alike.
  await postgres.token('root', 'admin')
  const differences: unknown[] = []
  for (const request of corpus()) {
    const ask = () => Promise.all([sqlite, postgres].map(({ port }) => send(port, request, token)))
    const alike = ([one = '', other = '']: string[]) => timeless(one) === timeless(other)
    let answers = await ask()
    // A refusal may be in one trail already and not in the other yet.
    if (!alike(answers) && request.target.startsWith('/audit'))
      for (let tries = 0; tries < 40 && !alike(answers); tries += 1) {
        await setTimeout(100)
        answers = await ask()
      }
    // Whoever lists subscriptions waits until what was accepted is carried out: else its time would decide about the order.
    if (request.method === 'POST') await Promise.all([sqlite, postgres].map(({ port }) => send(port, LIST, token)))
    if (!alike(answers)) differences.push({ request, sqlite: answers[0], postgres: answers[1] })
  }
  for (const list of LISTS) {
    const [one, other] = await Promise.all([sqlite, postgres].map(({ port }) => walk(port, list, token)))
    if (one !== other) differences.push({ list, sqlite: one, postgres: other })
  }
  expect(differences).toEqual([])
})
