import { beforeEach, describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/index.ts'
import { SHIPPED_LANGUAGES } from '../src/pages/language.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { EMAIL, HTML, isPrivatePage, json, owner, statuses } from './support/preferences.ts'

let server: OpenServer
beforeEach(async () => {
  server = await openServer()
})

describe('GET /preferences', () => {
  it.each([...SHIPPED_LANGUAGES.values()])('asks for one address, in $language', async ({ language, preferences }) => {
    const answer = await server.request('GET', '/preferences', { headers: { 'Accept-Language': language } })
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache', vary: 'Accept-Language' } })
    expect(answer.body).toContain(`<html lang="${language}"`)
    expect(answer.body).toContain(`<h1>${preferences.ask.title}</h1>`)
    expect(answer.body).toContain('<form method="post" action="preferences">')
    expect(answer.body.match(/<button/g)).toHaveLength(1)
    expect(answer.body.match(/<input id="email" name="email" type="email"/g)).toHaveLength(1)
    expect(answer.body).toMatch(/<div class="trap" aria-hidden="true">[\s\S]*name="website"/)
  })

  it('is linked from the sign-up page and the page of an invalid link, below any base path', async () => {
    const below = await openServer({ publicUrl: 'https://rollcall.example/lists' })
    for (const path of ['/subscribe', '/confirm/x', '/preferences/x', '/preferences/x/export'])
      expect((await below.request('GET', path, { headers: HTML })).body).toContain('<a href="/lists/preferences">')
  })
})

describe('POST /preferences', () => {
  it('accepts JSON, and answers a browser with a page in its language', async () => {
    expect(await server.request('POST', '/preferences', { json: { email: EMAIL } })).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
      body: '{"message":"If this address has a subscription, a mail with the link to its preferences is sent within ten minutes."}',
    })
    for (const { language, preferences } of SHIPPED_LANGUAGES.values()) {
      const form = { email: ` ${EMAIL}`, locale: `${language}_XX` }
      const answer = await server.request('POST', '/preferences', { form, headers: HTML })
      isPrivatePage(answer, language)
      expect([answer.status, answer.body.includes(EMAIL)]).toEqual([200, true])
      expect(answer.body).toContain(`<h1>${preferences.ask.askedTitle}</h1>`)
    }
  })

  it.each([
    ['no address', {}, ['email']],
    ['what is no address', { email: '"><b>' }, ['email']],
  ])('refuses %s, with JSON and with the form again', async (_, form, fields) => {
    const refused = await server.request('POST', '/preferences', { form })
    expect([refused.status, json(refused).error]).toEqual([422, 'InvalidInput'])
    expect(json(refused).details.map(({ field }: { field: string }) => field)).toEqual(fields)
    const page = await server.request('POST', '/preferences', { form, headers: HTML })
    isPrivatePage(page)
    expect([page.status, page.body.includes('role="alert"')]).toEqual([422, true])
    expect(page.body.includes('aria-describedby="email-problem"')).toBe(fields[0] === 'email')
    expect(page.body).not.toContain('<b>')
  })

  it('refuses a field that came twice, and a body of another type', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const twice = await server.request('POST', '/preferences', { body: 'email=a@b.c&email=d@e.f', headers })
    expect([twice.status, json(twice).details[0].field]).toEqual([422, 'email'])
    const other = await server.request('POST', '/preferences', { body: 'x', headers: { 'Content-Type': 'text/plain' } })
    expect(other.status).toBe(415)
  })
})

describe('GET /preferences/{token}', () => {
  it('returns the subscriptions as JSON, with exactly the documented keys', async () => {
    const path = await owner(server, 'de')
    const answer = await server.request('GET', path)
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    expect(answer).toMatchObject({ status: 200, headers })
    const { email, suppression, subscriptions } = json(answer)
    expect([email, suppression]).toEqual([EMAIL, null])
    expect(await statuses(server, path)).toEqual({ default: 'confirmed', news: 'pending', offers: 'ended' })
    expect(subscriptions[1]).toMatchObject({ title: '<i>News</i>', open: true, name: 'Ada', locale: 'de' })
    const { schemas } = openApiDocument('https://x').components
    expect(Object.keys(json(answer))).toEqual(schemas.Preferences!.required)
    const items = schemas.Preferences!.properties as { subscriptions: { items: { required: string[] } } }
    expect(Object.keys(subscriptions[0])).toEqual(items.subscriptions.items.required)
  })

  it.each([...SHIPPED_LANGUAGES.values()])('shows the owner everything, in $language', async (texts) => {
    const { language, preferences } = texts
    const path = await owner(server, language)
    const answer = await server.request('GET', path, { headers: { ...HTML, 'Accept-Language': 'nl' } })
    isPrivatePage(answer, language)
    const { body } = answer
    const token = path.split('/')[2]
    expect(body).toContain(`<bdi dir="ltr">${EMAIL}</bdi>`)
    expect(body).toContain('&lt;i&gt;News&lt;/i&gt;')
    expect(body).toContain(`<a href="${token}/export" download>${preferences.downloadButton}</a>`)
    const buttons = [...body.matchAll(/<button[^>]* value="([\w-]+)"[^>]*>([^<]+)<\/button>/g)].map((it) => it.slice(1))
    const { button } = preferences
    expect(buttons).toEqual([
      ['end', button.end],
      ['subscribe', button.confirm],
      ['end', button.end],
      ['subscribe', button.subscribe],
      ['end-all', button.endAll],
      ['never-again', button.neverAgain],
      ['erase', button.erase],
    ])
    expect(body.match(/<input type="hidden" name="feed" value="\w+">/g)).toHaveLength(3)
    expect(body).toMatch(/<input type="checkbox" required>[^<]+<\/label>[\s\S]*value="erase"/)
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 1))
    expect(body).toContain(`<time datetime="2026-01-01">${date}</time>`)
    expect(body).not.toMatch(/\{\w+\}|undefined/)
  })

  it('changes nothing, by any method and however often it is fetched', async () => {
    const path = await owner(server)
    const before = await server.request('GET', `${path}/export`)
    const scanner = { ...HTML, 'X-HTTP-Method-Override': 'POST' }
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE'])
      for (const target of [path, `${path}/export`, `${path}?action=erase&feed=news`])
        expect((await server.request(method, target, { headers: scanner })).status).toBeLessThan(300)
    expect((await server.request('GET', `${path}/export`)).body).toBe(before.body)
  })

  it('gives HEAD the same headers as GET', async () => {
    const path = await owner(server)
    for (const target of ['/preferences', path, `${path}/export`])
      for (const headers of [{}, HTML]) {
        const steady = async (method: string) => {
          const { status, headers: all } = await server.request(method, target, { headers })
          const { date, 'x-request-id': id, ...rest } = all
          return { status, ...rest }
        }
        expect(await steady('HEAD')).toEqual(await steady('GET'))
      }
  })

  it('is 404 for an invalid, differently spelled or expired link', async () => {
    const path = await owner(server)
    const isNotValid = async (link: string) => {
      for (const [target, method] of [
        [link, 'GET'],
        [`${link}/export`, 'GET'],
        [link, 'POST'],
      ] as const) {
        const answer = await server.request(method, target)
        expect([target, method, answer.status, json(answer).error]).toEqual([target, method, 404, 'LinkNotValid'])
        const page = await server.request(method, target, { headers: HTML })
        isPrivatePage(page)
        expect(page.status).toBe(404)
      }
    }
    for (const target of ['/preferences/x', path.replace('.', '%2E'), `/preferences/${'9'.repeat(5_000)}`])
      await isNotValid(target)
    server.clock.advance(3600 * 1000 + 1000)
    await isNotValid(path)
  })
})

describe('GET /preferences/{token}/export', () => {
  it('is a file of everything that is stored, with exactly the documented keys', async () => {
    const path = await owner(server)
    await server.request('POST', path, { form: { action: 'subscribe', feed: 'news' } })
    const answer = await server.request('GET', `${path}/export`, { headers: HTML })
    const type = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    const headers = { ...type, 'content-disposition': 'attachment; filename="subscriptions.json"' }
    expect(answer).toMatchObject({ status: 200, headers })
    const stored = json(answer)
    const { schemas } = openApiDocument('https://x').components
    expect(Object.keys(stored)).toEqual(schemas.StoredAboutAddress!.required)
    const items = schemas.StoredAboutAddress!.properties as {
      subscriptions: { items: { required: string[]; properties: { consents: { items: { required: string[] } } } } }
    }
    const { required, properties } = items.subscriptions.items
    expect(Object.keys(stored.subscriptions[0])).toEqual(required)
    const { consents } = stored.subscriptions[1]
    expect(Object.keys(consents[0])).toEqual(properties.consents.items.required)
    expect(consents.at(-1)).toMatchObject({ deed: 'confirmed', via: 'preferences', client_address: '127.0.0.0/24' })
    expect(stored.subscriptions.map(({ feed }: { feed: string }) => feed)).toEqual(['default', 'news', 'offers'])
  })
})
