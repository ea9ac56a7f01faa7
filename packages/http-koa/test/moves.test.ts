import { beforeEach, describe, expect, it } from 'vitest'
import { SHIPPED_LANGUAGES } from '../src/pages/language.ts'
import { CountingLimiter } from './support/counting-limiter.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { EMAIL, HTML, isPrivatePage, json, owner, statuses } from './support/preferences.ts'

const NEW = 'ada.new@example.org'
let server: OpenServer
beforeEach(async () => {
  server = await openServer()
})

const linkTo = async (purpose: 'move' | 'undo'): Promise<string> => {
  await server.useCases.deliverOutbox.execute({ limit: 10 })
  return new URL(server.transport.mails.findLast(({ links }) => links[purpose])?.links[purpose] ?? '').pathname
}

describe('POST /preferences/{token}/move', () => {
  it('answers alike, byte for byte, whatever is known of the new address', async () => {
    const answers: Record<string, unknown> = {}
    const ask = async (state: string, email = NEW) => {
      const path = await owner(server)
      const form = { email }
      const { status, body, headers } = await server.request('POST', `${path}/move`, { form })
      const { date, 'x-request-id': id, ...steady } = headers
      answers[state] = { status, body, steady }
      server = await openServer()
    }
    await ask('unknown')
    await server.request('POST', '/subscribe', { form: { email: NEW } })
    await ask('pending, and its mail waits')
    await server.request('POST', '/subscribe', { form: { email: NEW } })
    await server.request('POST', (await server.links()).confirm)
    await ask('confirmed, within the caps')
    await server.request('POST', '/subscribe', { form: { email: NEW } })
    await server.request('POST', (await server.links()).refuse)
    await ask('suppressed')
    expect(answers.unknown).toMatchObject({ status: 200, steady: { 'cache-control': 'no-store' } })
    for (const [state, answer] of Object.entries(answers)) expect([state, answer]).toEqual([state, answers.unknown])
  })

  it('mails the new address, and nothing has changed until the link in it is followed', async () => {
    const path = await owner(server)
    const answer = await server.request('POST', `${path}/move`, { json: { email: NEW } })
    expect([answer.status, json(answer).message]).toEqual([200, expect.stringContaining('stay as they are')])
    const link = await linkTo('move')
    expect(server.transport.mails.at(-1)).toMatchObject({ kind: 'move', to: NEW })
    for (const method of ['GET', 'HEAD', 'GET']) expect((await server.request(method, link)).status).toBe(200)
    expect(await statuses(server, path)).toMatchObject({ default: 'confirmed' })
    const done = await server.request('POST', link)
    expect([done.status, json(done)]).toEqual([200, { message: 'The subscriptions have moved to this address.' }])
    expect(await statuses(server, path)).toMatchObject({ default: 'ended' })
    const again = await server.request('POST', link)
    expect([again.status, json(again).message]).toEqual([200, expect.stringContaining('already')])
    const undo = await server.request('POST', await linkTo('undo'))
    expect([undo.status, json(undo)]).toEqual([200, { message: 'The change of address was undone.' }])
    expect(await statuses(server, path)).toMatchObject({ default: 'confirmed' })
  })

  it('shows an administrator where a subscription has gone, with an ETag that a condition may name', async () => {
    const path = await owner(server)
    await server.request('POST', `${path}/move`, { json: { email: NEW } })
    await server.request('POST', await linkTo('move'))
    const token = await server.token('root', 'admin')
    const of = async (email: string) =>
      json(await server.request('GET', `/subscriptions?email=${encodeURIComponent(email)}`, { token })).items
    const [old] = (await of(EMAIL)).filter(({ feed }: { feed: string }) => feed === 'default')
    const [made] = await of(NEW)
    expect(old).toMatchObject({ status: 'ended', ended_because: 'moved', moved_to: made.id })
    expect(made).not.toHaveProperty('moved_to')
    const one = await server.request('GET', `/subscriptions/${old.id}`, { token })
    expect(json(one)).toEqual(old)
    const headers = { 'If-Match': String(one.headers.etag) }
    expect((await server.request('DELETE', `/subscriptions/${old.id}`, { token, headers })).status).toBe(204)
    expect(await of(NEW)).toEqual([])
    expect((await server.request('GET', `/subscriptions/${old.id}`, { token })).status).toBe(404)
  })

  it('is 422 for the same address', async () => {
    const body = { email: EMAIL }
    const path = await owner(server)
    const answer = await server.request('POST', `${path}/move`, { json: body })
    expect([answer.status, json(answer).details]).toEqual([422, [{ field: 'email', message: expect.any(String) }]])
    const page = await server.request('POST', `${path}/move`, { form: body, headers: HTML })
    expect([page.status, page.body.includes(`action="../${path.split('/').at(-1)}/move"`)]).toEqual([422, true])
  })

  it('is 404 without a valid link, and limited as other forms that send mail are', async () => {
    expect((await server.request('POST', '/preferences/1.2.3/move', { json: { email: NEW } })).status).toBe(404)
    const path = await owner(server)
    const rateLimiter = new CountingLimiter(1)
    const limited = await openServer({ rateLimiter, useCases: server.useCases })
    const asked = async () => (await limited.request('POST', `${path}/move`, { json: { email: NEW } })).status
    expect([await asked(), await asked()]).toEqual([200, 429])
  })
})

describe('pages about a change of address', () => {
  it.each([...SHIPPED_LANGUAGES.values()])('lead through it, in $language', async (texts) => {
    const { language, move, undo, preferences } = texts
    const path = await owner(server, language)
    const shown = async (method: string, target: string, form?: Record<string, string>) => {
      const answer = await server.request(method, target, { headers: HTML, ...(form && { form }) })
      isPrivatePage(answer, language)
      expect(answer.body).not.toMatch(/\{\w+\}|undefined/)
      return answer.body
    }
    const first = await shown('GET', path)
    expect(first).toContain(`action="${path.split('/').at(-1)}/move"`)
    expect(await shown('POST', `${path}/move`, { email: NEW })).toContain(preferences.move.askedTitle)
    const link = await linkTo('move')
    const asked = await shown('GET', link)
    expect(asked).toContain(`<h1>${move.title}</h1>`)
    expect(asked).toContain('a•••@example.org')
    for (const address of [NEW, EMAIL]) expect(asked).not.toContain(address)
    expect(asked.match(/<button/g)).toHaveLength(1)
    expect(await shown('POST', link)).toContain(`<h1>${move.doneTitle}</h1>`)
    expect(await shown('POST', link)).toContain(`<h1>${move.againTitle}</h1>`)
    expect(await shown('GET', link)).toContain(`<h1>${move.againTitle}</h1>`)
    const back = await linkTo('undo')
    expect(await shown('GET', back)).toContain(`<h1>${undo.title}</h1>`)
    expect(await shown('POST', back)).toContain(`<h1>${undo.doneTitle}</h1>`)
    expect(await shown('GET', back)).toContain(`<h1>${undo.againTitle}</h1>`)
  })
})
