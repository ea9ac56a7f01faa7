import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'
import { Home } from './running-service.ts'

it('imports every row exactly once, however often kill -9 comes between', async () => {
  await using home = await Home.make()
  await home.run('migrate')
  const rows = 20_000
  const file = path.join(home.folder, 'rows.csv')
  const text = Array.from({ length: rows }, (_, n) =>
    n % 1_000 === 999 ? `nobody,2024-07-02,At the fair\n` : `${n}@example.com,2024-07-02,At the fair\n`,
  )
  await writeFile(file, `email,confirmed_at,consent\n${text.join('')}`)
  const there = async () => jsonLines((await home.run('subscription', 'export')).stdout || '{}')
  let kills = 0
  for (let before = 0; kills < 6; kills++) {
    const started = home.start(['subscription', 'import', file])
    await sleep(500 + Math.random() * 400)
    await started.kill('SIGKILL')
    const { length } = await there()
    expect(length).toBeGreaterThanOrEqual(before)
    before = length
  }
  const last = await home.run('subscription', 'import', file, '--json')
  expect(last.code).toBe(3)
  expect(jsonLines(last.stdout)).toHaveLength(21)
  expect(jsonLines(last.stdout).at(-1)).toMatchObject({ rows, refused: 20, interrupted: false })
  const exported = await there()
  const emails = exported.map(({ email }) => email)
  expect(emails).toHaveLength(rows - 20)
  expect(new Set(emails).size).toBe(rows - 20)
  expect(exported.every((one) => one.status === 'confirmed' && one.consent.length === 1)).toBe(true)
  const events: { subject: string }[] = JSON.parse((await home.run('event', 'list', '--json')).stdout).items
  expect(new Set(events.map(({ subject }) => subject)).size).toBe(rows - 20)
  expect(events).toHaveLength(rows - 20)
  const imports = jsonLines((await home.run('audit', 'export')).stdout).filter(
    ({ action }) => action === 'subscription.import',
  )
  const counted = imports.reduce((sum, { reason }) => sum + Number(reason.slice('rows '.length)), 0)
  expect(counted).toBe(rows - 20)
  expect((await home.run('audit', 'verify')).code).toBe(0)
})

it('leaves the lock to a running server between its units, and takes a file over HTTP as well', async () => {
  await using home = await Home.make()
  await home.serve()
  const file = path.join(home.folder, 'rows.ndjson')
  await writeFile(file, Array.from({ length: 10_000 }, (_, n) => `{"email":"${n}@example.com"}\n`).join(''))
  const started = home.start(['subscription', 'import', file])
  const statuses: number[] = []
  const over = started.ended.then(() => true)
  for (let n = 0; !(await Promise.race([over, sleep(5)])); n++)
    statuses.push((await home.signUp(`form-${n}@example.com`)).status)
  expect(await started.ended).toMatchObject({ code: 0 })
  expect(statuses.length).toBeGreaterThan(10)
  expect(statuses.every((status) => status === 200)).toBe(true)

  const headers = {
    Authorization: `Bearer ${await home.token('root', 'admin')}`,
    'Content-Type': 'application/x-ndjson',
  }
  const again = await fetch(`${home.url}/subscriptions/import`, { method: 'POST', headers, body: await readFile(file) })
  expect(jsonLines(await again.text())).toEqual([
    expect.objectContaining({ rows: 10_000, unchanged: 10_000, refused: 0 }),
  ])
  const exported = await fetch(`${home.url}/subscriptions/export?status=pending`, { headers })
  expect(jsonLines(await exported.text())).toHaveLength(10_000 + statuses.length)
})
