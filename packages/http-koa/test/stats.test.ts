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

  const ask = async (path: string, token = auditor) => {
    const { status, body } = await server.request('GET', path, { token })
    return { status, value: JSON.parse(body) }
  }

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

  it.each([
    ['feed=none', 'feed'],
    ['from=2026-02-30', 'from'],
    ['to=yesterday', 'to'],
    ['by=hour', 'by'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2015-01-01&to=2026-01-02&by=month', 'from'],
    ['from=2020-01-01', 'by'],
  ])('refuses %s by the field', async (query, field) => {
    const { status, value } = await ask(`/stats?${query}`)
    expect([status, value.error, value.details[0].field]).toEqual([422, 'InvalidInput', field])
  })

  it('is what lists count by', async () => {
    const total = async (path: string) => (await ask(path)).value
    expect(await total('/subscriptions?limit=1')).toMatchObject({ total: 1, next: null })
    expect(await total('/subscriptions?feed=default&status=pending')).toMatchObject({ items: [], total: 0 })
    expect(await total('/subscriptions?email=a@example.com')).not.toHaveProperty('total')
    expect((await total('/feeds')).items).toMatchObject([{ name: 'default', total: 1 }])
  })
})
