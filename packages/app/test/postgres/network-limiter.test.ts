import { openPostgresStorage } from '@rollcall/storage-sql/postgres'
import { describe, expect, it } from 'vitest'
import { addressMarks } from '../../src/abuse/address-marks.ts'
import { PostgresNetworkLimiter } from '../../src/abuse/postgres-network-limiter.ts'
import { createNodeDigests } from '../../src/platform/node-digests.ts'
import { nodeDomainNames } from '../../src/platform/node-platform.ts'
import { networkLimiterSuite } from '../network-limiter-suite.ts'
import { Database } from './database.ts'

const marks = addressMarks(createNodeDigests('a secret for tests of limits'), nodeDomainNames)

networkLimiterSuite(async () => {
  const database = await Database.make()
  const storage = await openPostgresStorage({ url: database.url })
  const another = await openPostgresStorage({ url: database.url })
  let now = 5_000
  const limiterOn = ({ client }: typeof storage) => new PostgresNetworkLimiter(60, marks, client, () => now)
  return {
    limiter: limiterOn(storage),
    another: limiterOn(another),
    passAnHour: async () => {
      now += 3_600_000
      await database.query('UPDATE rate_limit SET expire = expire - 3600000')
    },
    [Symbol.asyncDispose]: async () => {
      await storage.close()
      await another.close()
      await database[Symbol.asyncDispose]()
    },
  }
})

describe('a limiter of networks in the database', () => {
  const open = async () => {
    const database = await Database.make()
    const storage = await openPostgresStorage({ url: database.url })
    return {
      database,
      limiter: new PostgresNetworkLimiter(60, marks, storage.client),
      [Symbol.asyncDispose]: async () => {
        await storage.close()
        await database[Symbol.asyncDispose]()
      },
    }
  }

  it('stores no address as it is, and another mark of it for every network', async () => {
    await using at = await open()
    for (const network of ['192.0.2.0/24', '192.0.2.0/24', '192.0.3.0/24'])
      await at.limiter.count(network, 'ada@example.com')
    const rows = await at.database.query('SELECT key, points FROM rate_limit ORDER BY key')
    expect(rows).toEqual([
      { key: expect.stringMatching(/^address 192\.0\.2\.0\/24 [0-9a-f]{32}$/), points: 2 },
      { key: expect.stringMatching(/^address 192\.0\.3\.0\/24 [0-9a-f]{32}$/), points: 1 },
      { key: 'network 192.0.2.0/24', points: 1 },
      { key: 'network 192.0.3.0/24', points: 1 },
    ])
    const [one, other] = rows.map(({ key }) => String(key).split(' ')[2])
    expect(one).not.toBe(other)
  })

  it('asks nothing of the database about a network that it has refused', async () => {
    await using at = await open()
    for (let n = 0; n < 60; n++) await at.limiter.count('192.0.2.0/24', `p${n}@example.com`)
    await at.database.query('DROP TABLE rate_limit')
    expect(await at.limiter.count('192.0.2.0/24', 'new@example.com')).toBeGreaterThan(0)
    await expect(at.limiter.count('192.0.3.0/24', 'new@example.com')).rejects.toThrow('rate_limit')
  })

  it('begins again where a clock that was set back has left rows in the future', async () => {
    await using at = await open()
    for (let n = 0; n < 30; n++) await at.limiter.count('192.0.2.0/24', `p${n}@example.com`)
    await at.database.query('UPDATE rate_limit SET expire = expire + 86400000')
    for (let n = 0; n < 59; n++) expect(await at.limiter.count('192.0.2.0/24', `p${n}@example.com`)).toBe(0)
    expect(at.limiter.refusedFor('192.0.2.0/24')).toBe(0)
    expect(await at.limiter.count('192.0.2.0/24', 'last@example.com')).toBe(0)
    expect(at.limiter.refusedFor('192.0.2.0/24')).toBeLessThanOrEqual(3_600_000)
  })
})
