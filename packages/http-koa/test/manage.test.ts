import { beforeEach, describe, expect, it } from 'vitest'
import { SHIPPED_LANGUAGES } from '../src/pages/language.ts'
import { CountingLimiter } from './support/counting-limiter.ts'
import type { Answer } from './support/exchange.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { DAY, EMAIL, HTML } from './support/preferences.ts'

let server: OpenServer
let path: string

beforeEach(async () => {
  server = await openServer()
  await server.request('POST', '/subscribe', { form: { email: EMAIL } })
  const { confirm } = await server.links()
  await server.request('POST', confirm)
  const token = await server.token('mailer', 'sender')
  const { body } = await server.request('GET', '/feeds/default/recipients', { token })
  path = new URL(JSON.parse(body.split('\n')[1] ?? '').manage_url).pathname
  server.clock.advance(DAY)
})

const steady = ({ status, headers, body }: Answer) => {
  const { date: _, 'x-request-id': __, ...others } = headers
  return { status, body, headers: others }
}

describe('GET /manage/{token}', () => {
  it.each([...SHIPPED_LANGUAGES.values()])(
    'is one button and nothing about the subscription, in $language',
    async (texts) => {
      const headers = { ...HTML, 'Accept-Language': texts.language }
      const answer = await server.request('GET', path, { headers })
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
      expect(answer.headers['referrer-policy']).toBe('no-referrer')
      expect(answer.body).toContain(`<html lang="${texts.language}"`)
      expect(answer.body).toContain(`<h1>${texts.manage.title}</h1>`)
      expect(answer.body.match(/<button/g)).toHaveLength(1)
      expect(answer.body).not.toMatch(/ada|example\.com"|default/i)
      const { length } = server.transport.mails
      await server.useCases.deliverOutbox.execute({ limit: 10 })
      expect(server.transport.mails).toHaveLength(length)
    },
  )

  it('is the same page after the subscription was erased', async () => {
    const before = steady(await server.request('GET', path, { headers: HTML }))
    const id = path.split('/').at(-1)?.split('.')[0]
    await server.request('DELETE', `/subscriptions/${id}`, { token: await server.token('root', 'admin') })
    expect(steady(await server.request('GET', path, { headers: HTML }))).toEqual(before)
  })
})

describe('POST /manage/{token}', () => {
  it('mails the link to the preferences, with the same answer byte for byte whatever became of the subscription', async () => {
    for (const headers of [{}, HTML]) {
      const answers: Record<string, unknown> = {}
      const press = async (state: string) => {
        answers[state] = steady(await server.request('POST', path, { headers }))
      }
      await press('confirmed')
      await press('with a mail that waits')
      await server.useCases.deliverOutbox.execute({ limit: 10 })
      await press('beyond the caps')
      server.clock.advance(DAY)
      if (headers === HTML) {
        const id = path.split('/').at(-1)?.split('.')[0]
        await server.request('DELETE', `/subscriptions/${id}`, { token: await server.token('root', 'admin') })
        await press('erased')
      }
      for (const [state, answer] of Object.entries(answers)) expect([state, answer]).toEqual([state, answers.confirmed])
    }
    const kinds = server.transport.mails.map(({ kind }) => kind)
    // The memory transport forgets what is of an erased subscription.
    expect(kinds).toEqual([])
  })

  it('mails to the address of the subscription alone, and the link opens its preferences', async () => {
    expect((await server.request('POST', path, { form: { email: 'eve@example.com' } })).status).toBe(200)
    await server.useCases.deliverOutbox.execute({ limit: 10 })
    const { to, kind, links } = server.transport.mails.at(-1)!
    expect([to, kind]).toEqual([EMAIL, 'preferences'])
    const preferences = await server.ask('GET', new URL(links.preferences!).pathname)
    expect(preferences.value.email).toBe(EMAIL)
  })

  it('is never limited, as no valid link is: the caps alone hold its mails back', async () => {
    const limited = await openServer({ rateLimiter: new CountingLimiter(1), useCases: server.useCases })
    for (let n = 0; n < 3; n++) expect((await limited.request('POST', path, { form: { a: 'b' } })).status).toBe(200)
  })

  it('refuses what was not signed for it, before it reads the body', async () => {
    for (const bad of [`${path}0`, path.replace('manage/', 'manage/1'), '/manage/x', path.replace(/\.(.)/, '.%3$1')]) {
      const answer = await server.request('POST', bad, { body: 'x' })
      expect([bad, answer.status]).toEqual([bad, 404])
      expect((await server.request('GET', bad)).status).toBe(404)
    }
    const text = { body: 'x', headers: { 'Content-Type': 'text/plain' } }
    expect((await server.request('POST', path, text)).status).toBe(415)
  })
})
