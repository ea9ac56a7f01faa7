import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'
import { Home } from './running-service.ts'

const SECRET = 'the same secret here and elsewhere, for the same ids'

const consent = [
  { at: '2024-07-01T10:00:00.000Z', deed: 'requested', via: 'form', wording: 'double-opt-in/1', language: 'de' },
  {
    at: '2024-07-02T12:56:49.123Z',
    deed: 'confirmed',
    via: 'link',
    wording: 'news/1',
    wording_text: 'Send me "news",\nplease.',
  },
]

const furnished = async (): Promise<Home> => {
  const home = await Home.make({ SECRET })
  await home.run('migrate')
  const wording = path.join(home.folder, 'wording.txt')
  await writeFile(wording, 'Send me "news",\nplease.\n')
  expect(await home.run('feed', 'put', 'news', '--title', 'News', '--wording-file', wording)).toMatchObject({ code: 0 })
  return home
}

const importInto = async (home: Home, name: string, text: string) => {
  const file = path.join(home.folder, name)
  await writeFile(file, text)
  const { stdout } = await home.run('subscription', 'import', file, '--json')
  return jsonLines(stdout).at(-1)
}

it('gives the same export once it was imported into an empty database, as NDJSON and as CSV', async () => {
  await using here = await furnished()
  const rows = Array.from({ length: 1_500 }, (_, n) => ({
    email: `Person-${n}@${n % 3 === 0 ? 'bücher.example' : 'example.com'}`,
    name: n % 2 === 0 ? `Person "${n}", 👩🏽‍🚀` : '',
    feed: n % 5 === 0 ? 'news' : undefined,
    locale: n % 7 === 0 ? 'de-AT' : null,
    status: ['confirmed', 'pending', 'ended'][n % 3],
    created_at: new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString(),
    confirmed_at: n % 3 === 1 ? undefined : '2024-07-02T12:56:49.123Z',
    ended_at: n % 3 === 2 ? '2025-01-01T00:00:00.000Z' : undefined,
    consent: n % 4 === 0 ? 'Signed the list at the fair.' : consent,
  }))
  const file = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  expect(await importInto(here, 'rows.ndjson', file)).toMatchObject({
    imported: 1_500,
    refused: 0,
    confirmed: 500,
    ended: 500,
  })
  for (const format of ['ndjson', 'csv']) {
    const exported = (await here.run('subscription', 'export', '--format', format)).stdout
    await using elsewhere = await furnished()
    expect(await importInto(elsewhere, `rows.${format}`, exported)).toMatchObject({ rows: 1_500, imported: 1_500 })
    const copy = path.join(elsewhere.folder, 'copy')
    await elsewhere.run('subscription', 'export', '--format', format, '--output', copy)
    expect((await readFile(copy, 'utf8')) === exported).toBe(true)
  }
})
