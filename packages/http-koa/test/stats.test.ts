import { beforeAll, describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'

const server = await sharedServer()
const auditor = await server.token('eve', 'auditor')

describe('GET /stats', () => {
  beforeAll(async () => {
    await server.request('POST', '/subscribe', { form: { email: 'a@example.com' } })
    await server.request('POST', '/subscribe', { form: { email: 'b@example.com', website: 'https://spam.example' } })
    await server.request('POST', (await server.links()).confirm)
  })

  const ask = (path: string) => server.ask('GET', path, { token: auditor })

  it('answers what there was, and what there is now', async () => {
    const { status, value } = await ask('/stats?from=2026-01-01&to=2026-01-02&by=day&feed=default')
    expect([status, value]).toMatchObject([
      200,
      {
        ...{ feed: 'default', from: '2026-01-01', to: '2026-01-02', by: 'day' },
        subscriptions: { pending: 0, confirmed: 1, ended: 0 },
        periods: [
          { start: '2026-01-01', requested: 1, mailed: 1, confirmed: 1, turned_away: { honeypot: 1, mail_cap: 0 } },
          { start: '2026-01-02', requested: 0, mailed: 0 },
        ],
      },
    ])
  })

  it('names what it refuses by the fields of the query', async () => {
    const { status, value } = await ask('/stats?from=2026-02-30&to=yesterday&by=hour')
    const fields = value.details.map(({ field }: { field: string }) => field)
    expect([status, value.error, fields]).toEqual([422, 'InvalidInput', ['from', 'to', 'by']])
  })

  it('is what lists count by', async () => {
    const total = async (path: string) => (await ask(path)).value
    expect(await total('/subscriptions?limit=1')).toMatchObject({ total: 1, next: null })
    expect(await total('/subscriptions?feed=default&status=pending')).toMatchObject({ items: [], total: 0 })
    expect(await total('/subscriptions?email=a@example.com')).not.toHaveProperty('total')
    expect((await total('/feeds')).items).toMatchObject([{ name: 'default', total: 1 }])
  })
})
