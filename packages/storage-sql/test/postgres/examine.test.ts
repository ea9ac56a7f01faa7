import { expect, it } from 'vitest'
import { examinePostgres, openPostgresStorage } from '../../src/postgres/index.ts'
import { emptyDatabase, newDatabase } from '../postgres-server/databases.ts'

it('an examination of a PostgreSQL database finds what is there, and what is not', async () => {
  const { url, drop } = await newDatabase()
  const storage = await openPostgresStorage({ url })
  await storage.settle('secret-fingerprint', 'abc')
  await storage.unitOfWork.run(async ({ events }) => events.append({ type: 'user.created', subject: 'ada', at: 1_000 }))
  const examination = await examinePostgres(url)
  expect({
    ...{ missing: examination.missing, damage: await examination.damage(), trail: await examination.trailEnd() },
    ...{ newest: await examination.newest(), secret: await examination.recall('secret-fingerprint') },
    health: await examination.outbox.health(),
  }).toEqual({
    ...{
      missing: [],
      damage: [],
      trail: { seal: undefined, before: undefined, sealed: [], last: 0, unsealed: 0, unsealedSince: undefined },
    },
    ...{ newest: 1_000, secret: 'abc', health: { parked: false, dueSince: undefined } },
  })
  await examination.close()
  await storage.close()
  await drop()
  const empty = await emptyDatabase()
  const before = await examinePostgres(empty.url)
  expect(before.missing.length).toBeGreaterThan(0)
  await before.close()
  await empty.drop()
})
