import { expect, it } from 'vitest'
import { eventually } from '../eventually.ts'
import { Home } from '../running-service.ts'
import { Balancer } from './balancer.ts'
import { Database } from './database.ts'
import { Load } from './load.ts'

const SECRET = 'a secret that is long enough for a test of several instances'

it('two instances on one database are restarted in turn without a request that fails', async () => {
  await using database = await Database.make()
  const settings = { DATABASE_URL: database.url, SECRET, SHUTDOWN_DELAY: '3s' }
  await using one = await Home.make(settings)
  const first = await one.serve()
  await using two = await Home.make(settings)
  await two.takeKeysOf(one)
  const second = await two.serve()
  await using balancer = await Balancer.open(one.port, two.port)
  await using load = new Load(balancer.port)
  expect((await first.kill('SIGTERM')).code).toBe(0)
  await one.serve()
  expect((await second.kill('SIGTERM')).code).toBe(0)
  await two.serve()
  await load.end()
  expect(load.outcomes).toEqual(new Map([['200', expect.any(Number)]]))
  const found = async () => (await database.query('SELECT count(*)::int AS found FROM subscription'))[0]?.found
  await eventually(
    async () => (await found()) === load.outcomes.get('200'),
    'that all that was accepted is carried out',
  )
})
