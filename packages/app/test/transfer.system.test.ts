import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'
import { Home } from './running-service.ts'

it('an import leaves the lock to a running server between its units', async () => {
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
  const { stdout } = await home.run('subscription', 'export', '--status', 'pending')
  expect(jsonLines(stdout)).toHaveLength(10_000 + statuses.length)
})
