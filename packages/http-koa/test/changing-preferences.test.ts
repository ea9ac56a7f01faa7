import { beforeEach, describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/index.ts'
import { SHIPPED_LANGUAGES } from '../src/pages/language.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { EMAIL, HTML, isPrivatePage, json, owner, preferencesLink, statuses } from './support/preferences.ts'

let server: OpenServer
beforeEach(async () => {
  server = await openServer()
})

const ENDED = { default: 'ended', news: 'ended', offers: 'ended' }

describe('POST /preferences/{token}', () => {
  const BEFORE = { default: 'confirmed', news: 'pending', offers: 'ended' }

  it.each([
    ['subscribe', 'news', { ...BEFORE, news: 'confirmed' }],
    ['subscribe', 'offers', { ...BEFORE, offers: 'confirmed' }],
    ['end', 'default', { ...BEFORE, default: 'ended' }],
    ['end-all', null, ENDED],
    ['never-again', null, ENDED],
    ['allow', null, BEFORE],
  ])('does %s %s, as a form and as JSON, and is idempotent', async (action, feed, expected) => {
    const path = await owner(server)
    const answers = [
      await server.request('POST', path, { form: { action, ...(feed && { feed }) } }),
      await server.request('POST', path, { json: { action, feed, never_again: null } }),
    ]
    for (const answer of answers) {
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
      expect(answer).toMatchObject({ status: 200, headers })
      const { schemas } = openApiDocument('https://x').components
      expect(Object.keys(json(answer))).toEqual(schemas.PreferencesChange!.required)
      expect(json(answer).preferences).toEqual(json(await server.request('GET', path)))
    }
    expect(answers[1]?.body).toBe(answers[0]?.body)
    expect(await statuses(server, path)).toEqual(expected)
  })

  it.each([...SHIPPED_LANGUAGES.values()])('shows a browser the result, in $language', async (texts) => {
    const { language, preferences } = texts
    const path = await owner(server, language)
    const press = (form: Record<string, string>) => server.request('POST', path, { form, headers: HTML })
    const shown = async (form: Record<string, string>) => {
      const answer = await press(form)
      isPrivatePage(answer, language)
      expect([form, answer.status]).toEqual([form, 200])
      expect(answer.body).not.toMatch(/\{\w+\}|undefined/)
      const text = /<p class="done" role="status">(.*?)<\/p>/.exec(answer.body)?.[1] ?? ''
      return text.replace(/<\/?bdi[^>]*>/g, '')
    }
    const said = (text: string, feed = '') => text.replace('{feed}', feed)
    const { done } = preferences
    expect(await shown({ action: 'subscribe', feed: 'offers' })).toBe(said(done.subscribe, 'Offers'))
    expect(await shown({ action: 'end', feed: 'news' })).toBe(said(done.end, '&lt;i&gt;News&lt;/i&gt;'))
    expect(await shown({ action: 'end-all' })).toBe(said(done['end-all']))
    expect(await shown({ action: 'never-again' })).toBe(said(done['never-again']))
    const silent = await server.request('GET', path, { headers: HTML })
    expect(silent.body).toContain(preferences.suppressed)
    expect(silent.body).not.toMatch(/value="(subscribe|end|end-all|never-again)"|name="never_again"/)
    expect(await shown({ action: 'allow' })).toBe(said(done.allow))
    const erased = await press({ action: 'erase' })
    isPrivatePage(erased, language)
    expect(erased.body).toContain(`<h1>${preferences.erasedTitle}</h1>`)
    expect([erased.status, erased.body.includes(done.erase)]).toEqual([200, true])
  })

  it.each([
    ['form', { form: { action: 'erase' } }, true],
    ['JSON', { json: { action: 'erase' } }, true],
    ['form, permanently', { form: { action: 'erase', never_again: 'true' } }, false],
    ['JSON, permanently', { json: { action: 'erase', never_again: true } }, false],
  ])('erases by %s: the answer says so, and the link stops working', async (_, body, mayReturn) => {
    const path = await owner(server)
    const answer = await server.request('POST', path, body)
    const message = 'The subscriptions of this address, and all that was stored with them, were erased.'
    expect([answer.status, json(answer)]).toEqual([200, { message, preferences: null }])
    for (const target of [path, `${path}/export`]) expect((await server.request('GET', target)).status).toBe(404)
    expect((await server.request('POST', path)).status).toBe(404)
    expect(server.transport.mails).toEqual([])
    server.clock.advance(24 * 3600 * 1000)
    await server.request('POST', '/subscribe', { form: { email: EMAIL } })
    await server.useCases.deliverOutbox.execute({ limit: 10 })
    expect(server.transport.mails.length).toBe(mayReturn ? 1 : 0)
  })

  it('says to a browser that only a code is kept if no mail may be sent again', async () => {
    const path = await owner(server, 'de')
    const form = { action: 'erase', never_again: 'true' }
    const answer = await server.request('POST', path, { form, headers: HTML })
    isPrivatePage(answer, 'de')
    expect(answer.body).toContain(SHIPPED_LANGUAGES.get('de')!.preferences.erasedForGood)
    expect(answer.body).not.toContain(EMAIL)
  })

  it.each([
    ['nothing', {}, 'action'],
    ['what cannot be done', { action: 'explode' }, 'action'],
    ['to subscribe to nothing', { action: 'subscribe' }, 'feed'],
    ['what is neither yes nor no', { action: 'erase', never_again: 'perhaps' }, 'never_again'],
  ])('refuses %s, and changes nothing', async (_, form, field) => {
    const path = await owner(server)
    const before = await server.request('GET', `${path}/export`)
    for (const body of [{ form }, { json: form }]) {
      const refused = await server.request('POST', path, body)
      expect([refused.status, json(refused).error]).toEqual([422, 'InvalidInput'])
      expect(json(refused).details.map((one: { field: string }) => one.field)).toEqual([field])
    }
    const page = await server.request('POST', path, { form, headers: HTML })
    isPrivatePage(page)
    expect([page.status, page.body.includes('<p class="alarm" role="alert">')]).toEqual([422, true])
    expect((await server.request('GET', `${path}/export`)).body).toBe(before.body)
  })

  it('refuses an unsigned link before it reads the body, and a superseded one before it looks at the fields', async () => {
    const path = await owner(server)
    const text = { body: 'action=erase', headers: { 'Content-Type': 'text/plain' } }
    expect((await server.request('POST', '/preferences/x', text)).status).toBe(404)
    expect((await server.request('POST', path, text)).status).toBe(415)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const twice = { body: 'action=erase&action=end-all', headers }
    expect((await server.request('POST', '/preferences/x', twice)).status).toBe(404)
    expect((await server.request('POST', path, twice)).status).toBe(422)
    await server.request('POST', path, { form: { action: 'erase' } })
    expect((await server.request('POST', path, twice)).status).toBe(404)
  })

  it('works with another link as often as the owner asks', async () => {
    const first = await owner(server)
    await server.request('POST', first, { form: { action: 'end-all' } })
    const second = await preferencesLink(server)
    expect(second).not.toBe(first)
    expect(await statuses(server, second)).toEqual(ENDED)
  })

  it('writes neither address nor token to the log', async () => {
    const path = await owner(server)
    await server.request('POST', path, { form: { action: 'end-all' } })
    await server.request('GET', `${path}/export`)
    const lines = JSON.stringify(server.log.lines)
    expect(lines).toContain('/preferences/:token/export')
    expect(lines).not.toMatch(new RegExp(`${EMAIL}|${path.split('/')[2]}`, 'i'))
  })
})
