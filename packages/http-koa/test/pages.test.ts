import { createHash } from 'node:crypto'
import { fillMarkup } from '@rollcall/platform-node'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LANGUAGE, SHIPPED_LANGUAGES } from '../src/pages/language.ts'
import { fill, maskedAddress } from '../src/pages/placeholders.ts'
import type { Answer } from './support/exchange.ts'
import { type OpenServer, openServer, sharedServer } from './support/open-server.ts'

const HTML = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const PURPOSES = ['confirm', 'refuse', 'unsubscribe'] as const

/** What every page must satisfy. */
const isPage = ({ headers, body }: Answer, language = 'en'): void => {
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = headers['content-security-policy'] as string
  const style = /<style>([\s\S]*)<\/style>/.exec(body)![1]!
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; font-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  )
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers.location).toBeUndefined()
  expect(body).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${language}" dir="ltr">`))
  expect(body.match(/<h1>/g)).toHaveLength(1)
  expect(body.match(/<main>/g)).toHaveLength(1)
  expect(body).toMatch(/<title>[^<]+<\/title>/)
  expect(body).toMatch(/<meta name="viewport"/)
  expect(body).toMatch(/prefers-color-scheme: dark/)
  expect(body).not.toMatch(
    /<script|\son\w+=|javascript:|style="|<img|<link rel="(?!icon" href="data:,)|https?:\/\/(?!rollcall\.example)/i,
  )
  for (const [, id] of body.matchAll(/<label for="(\w+)"/g)) expect(body).toContain(`id="${id}"`)
}

const server = await sharedServer()

describe('pages', () => {
  let count = 0
  /** A fresh pending subscription with its links. */
  const pending = async (fields: Record<string, string> = {}) => {
    const email = `brian${++count}@example.com`
    const { body } = await server.request('POST', '/subscribe', { form: { email, name: '<b>Brian</b>', ...fields } })
    const { id } = JSON.parse(body).subscription as { id: number }
    const status = async (): Promise<string> => {
      const token = await server.token('root', 'admin')
      return JSON.parse((await server.request('GET', `/subscriptions/${id}`, { token })).body).status
    }
    return { email, id, status, ...(await server.links()) }
  }

  it('leave a placeholder that is not known as it is, whatever objects inherit', () => {
    for (const text of ['{constructor}', '{toString} {__proto__}', '{other}']) {
      expect(fill(text, { feed: 'News' })).toBe(text)
      expect(String(fillMarkup(text, {}).text)).toBe(text)
    }
  })

  it('have the same texts in every language, with the same placeholders', () => {
    const gapsOf = (texts: object): unknown =>
      Object.fromEntries(
        Object.entries(texts).map(([key, value]: [string, unknown]) => [
          key,
          typeof value === 'string' ? [...new Set(value.match(/\{\w+\}/g))].sort() : gapsOf(value as object),
        ]),
      )
    const shape = gapsOf(DEFAULT_LANGUAGE)
    expect([...SHIPPED_LANGUAGES.keys()].sort()).toEqual(['de', 'en', 'es', 'fr'])
    for (const texts of SHIPPED_LANGUAGES.values())
      expect([texts.language, gapsOf(texts)]).toEqual([texts.language, shape])
  })

  it.each([
    ['brian@example.com', 'b•••@example.com'],
    ['a@b', 'a•••@b'],
    ['x.y@mail.example.co.uk', 'x•••@mail.example.co.uk'],
    ['u@bücher.example', 'u•••@bücher.example'],
    ['𝒳y@example.com', '𝒳•••@example.com'],
  ])('show %s as %s', (address, masked) => {
    expect(maskedAddress(address)).toBe(masked)
  })

  it('offer to subscribe, with labels and a hidden honeypot, and show no visitor the form for other sites', async () => {
    const answer = await server.request('GET', '/subscribe')
    isPage(answer)
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache', vary: 'Accept-Language' } })
    expect(answer.body).toMatch(/<form method="post" action="subscribe">/)
    expect(answer.body).toMatch(
      /<label for="email">E-mail address <span class="required">\(required\)<\/span><\/label>/,
    )
    expect(answer.body).toMatch(/<label for="email">[\s\S]*<label for="name">/)
    expect(answer.body).toMatch(
      /<input id="email" name="email" type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required/,
    )
    expect(answer.body).toMatch(
      /<div class="trap" aria-hidden="true">[\s\S]*name="website"[^>]*tabindex="-1"[\s\S]*<\/div>/,
    )
    expect(answer.body).not.toMatch(/<textarea|<details|&lt;form/)
    expect((await server.request('HEAD', '/subscribe')).headers['content-length']).toBe(
      answer.headers['content-length'],
    )
  })

  it('begin with the sign-up page for browsers, and leave the root path without anything for programs', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await server.request(method, '/?utm=1', { headers: { Accept: 'text/html,*/*;q=0.8' } })
      const headers = { location: 'https://rollcall.example/subscribe', 'content-type': 'text/html; charset=utf-8' }
      expect(answer).toMatchObject({ status: 303, headers: { ...headers, vary: 'Accept, Accept-Language' } })
      if (method === 'GET') expect(answer.body).toContain('<a href="/subscribe">Go to the sign-up page</a>')
    }
    const accepts: Record<string, string>[] = [{}, { Accept: '*/*' }, { Accept: 'application/json, text/html;q=0.9' }]
    for (const headers of accepts) {
      const { status, body } = await server.request('GET', '/', { headers })
      expect([status, JSON.parse(body).error]).toEqual([404, 'NotFound'])
    }
    for (const path of ['//', '/x']) expect((await server.request('GET', path, { headers: HTML })).status).toBe(404)
  })

  it('offer one feed by name, in its language, escaped', async () => {
    const token = await server.token('root', 'admin')
    await server.request('PUT', '/feeds/evil', {
      token,
      json: { title: '<script>"\'&', description: '</p><img>', language: 'de' },
    })
    const answer = await server.request('GET', '/subscribe?feed=evil')
    isPage(answer, 'de')
    expect(answer.body).toContain('<h1><bdi>&lt;script&gt;&quot;&#39;&amp;</bdi> abonnieren</h1>')
    expect(answer.body).toContain('<p class="lead" id="lead" dir="auto">&lt;/p&gt;&lt;img&gt;</p>')
    expect(answer.body).toContain('<input type="hidden" name="feed" value="evil">')
    const missing = await server.request('GET', '/subscribe?feed=nowhere', { headers: HTML })
    isPage(missing)
    expect(missing.status).toBe(404)
    expect(JSON.parse((await server.request('GET', '/subscribe?feed=nowhere')).body).error).toBe('FeedNotFound')
  })

  it('answer a browser’s form with a page, with the same result', async () => {
    const answer = await server.request('POST', '/subscribe', {
      form: { email: 'browser@example.com', locale: 'fr' },
      headers: HTML,
    })
    isPage(answer, 'fr')
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.body).toContain('browser@example.com')
    await server.useCases.deliverOutbox.execute({ limit: 100 })
    expect(server.transport.mails.map(({ to }) => to)).toContain('browser@example.com')
  })

  it('show the form again with the typed values and their problems', async () => {
    const form = { email: '"><script>alert(1)</script>', name: 'Ada <&>', feed: 'default', locale: 'es' }
    const answer = await server.request('POST', '/subscribe', { form, headers: HTML })
    isPage(answer, 'es')
    expect(answer.status).toBe(422)
    expect(answer.body).toContain(
      'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" aria-invalid="true" aria-describedby="email-problem"',
    )
    expect(answer.body).toContain('value="Ada &lt;&amp;&gt;"')
    expect(answer.body).toMatch(/<p class="problem" id="email-problem">Indique una dirección/)
    expect(answer.body).toMatch(/role="alert"/)
    const broken = await server.request('POST', '/subscribe', {
      body: 'x',
      headers: { ...HTML, 'Content-Type': 'text/plain' },
    })
    isPage(broken)
    expect(broken.status).toBe(415)
  })

  it('show the form again with all problems at once, by name with a way to each, even if the feed is one', async () => {
    const form = { email: 'bad', name: 'x'.repeat(201), website: '', return_to: 'https://evil.example' }
    for (const feed of ['nope', 'NOT A NAME', 'default']) {
      const json = await server.ask('POST', '/subscribe', { json: { ...form, feed } })
      const answer = await server.request('POST', '/subscribe', { form: { ...form, feed }, headers: HTML })
      isPage(answer)
      const fields = ['email', 'name', feed === 'default' ? 'return_to' : 'feed'].map((field) => ({ field }))
      expect(json).toMatchObject({ status: 422, value: { details: fields } })
      expect([feed, answer.status]).toEqual([feed, 422])
      expect(answer.body).toContain('<a href="#email" dir="auto">E-mail address</a>: Enter an e-mail address such as')
      expect(answer.body).toContain('<a href="#name" dir="auto">Name (optional)</a>: Use at most 200 characters')
      expect(answer.body.match(/aria-describedby="\w+-problem"/g)).toEqual([
        'aria-describedby="email-problem"',
        'aria-describedby="name-problem"',
      ])
      expect(answer.body).toContain('value="bad"')
      expect(answer.body).toContain(`value="${form.name}"`)
      expect(answer.body).toContain('<input type="hidden" name="feed" value="default">')
      expect(answer.body.split('does not exist')).toHaveLength(feed === 'default' ? 1 : 2)
    }
  })

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/html;q=0.9', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['image/png', 'application/json'],
    ['text/html;q=0', 'application/json'],
    ['nonsense', 'application/json'],
    ['text/html', 'text/html; charset=utf-8'],
    ['TEXT/HTML', 'text/html; charset=utf-8'],
    [HTML.Accept, 'text/html; charset=utf-8'],
  ])('are sent for Accept: %s as %s', async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept }
    const answer = await server.request('POST', '/subscribe', { form: { email: 'accept@example.com' }, headers })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type])
  })

  it.each([
    ['what comes after the first KiB', `application/json;q=0.5,${' '.repeat(1_024)}text/html`],
    ['what the first KiB cuts off', `${'a/b,'.repeat(254)}text/html;q=0.9`],
    ['what has no end in the first KiB', `text/html;a="${','.repeat(15_000)}"`],
  ])('do not depend on %s of the Accept header field', async (_, accept) => {
    for (const line of ['POST /subscribe', 'GET /confirm/x', 'POST /confirm/x']) {
      const [method = '', path = ''] = line.split(' ')
      const { headers } = await server.request(method, path, { headers: { Accept: accept } })
      expect([line, headers['content-type']]).toEqual([line, 'application/json'])
    }
  })

  it('are negotiated from whole elements within the first KiB, whatever comes after it', async () => {
    const ask = async (Accept: string, language = '') =>
      await server.request('GET', '/confirm/x', { headers: { Accept, 'Accept-Language': language } })
    expect((await ask(`text/html,${'a/b,'.repeat(3_000)}`)).headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await ask('text/html', `fr,${'x,'.repeat(5_000)}`)).body).toContain('lang="fr"')
    expect((await ask('text/html', `${'x,'.repeat(1_000)}fr`)).body).toContain('lang="en"')
    expect((await ask('text/html', `${'x,'.repeat(511)}de-AT`)).body).toContain('lang="en"')
  })

  it.each(PURPOSES)('of a link to %s have one button, name the feed, and mask the address', async (purpose) => {
    const { email, [purpose]: link } = await pending()
    const answer = await server.request('GET', link, { headers: HTML })
    isPage(answer)
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(answer.body.match(/<button/g)).toHaveLength(1)
    expect(answer.body).toContain('<form method="post"><button type="submit">')
    if (purpose !== 'refuse') expect(answer.body).toMatch(/default.*b•••@example\.com/)
    expect(answer.body).not.toContain(email)
    expect(answer.body).not.toContain('Brian')
    expect(answer.body).not.toContain(link)
  })

  it.each(PURPOSES)('of a link to %s change nothing, however often they are fetched', async (purpose) => {
    const subscription = await pending()
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'GET', 'GET'])
      expect((await server.request(method, subscription[purpose], { headers: HTML })).status).toBeLessThan(300)
    const agent = { 'User-Agent': 'Mozilla/5.0 (scanner)', 'X-HTTP-Method-Override': 'POST' }
    await server.request('GET', `${subscription[purpose]}?confirm=true&_method=POST`, { headers: agent })
    expect(await subscription.status()).toBe('pending')
  })

  it('confirm once, and say so the next time', async () => {
    const subscription = await pending()
    const done = await server.request('POST', subscription.confirm, { headers: HTML })
    isPage(done)
    expect(done.body).toContain('You are subscribed')
    expect(await subscription.status()).toBe('confirmed')
    for (const method of ['POST', 'GET']) {
      const { status, body } = await server.request(method, subscription.confirm, { headers: HTML })
      expect([status, body]).toEqual([200, expect.stringContaining('You are subscribed already')])
      expect(body).not.toContain('<button')
    }
    expect(JSON.parse((await server.request('POST', subscription.confirm)).body)).toEqual({
      message: 'The subscription was confirmed already.',
    })
  })

  it('refuse permanently, with the same answer when repeated', async () => {
    const subscription = await pending()
    for (const again of [1, 2]) {
      const answer = await server.request('POST', subscription.refuse, { headers: HTML })
      isPage(answer)
      expect([again, answer.status]).toEqual([again, 200])
    }
    expect(await subscription.status()).toBe('ended')
    expect((await server.request('POST', subscription.confirm)).status).toBe(404)
    const late = await server.request('GET', subscription.confirm, { headers: HTML })
    isPage(late)
    expect([late.status, late.body.includes('This link is not valid')]).toEqual([404, true])
  })

  it.each([
    ['as RFC 8058 has it', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'in several parts',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ['with no body', undefined, undefined],
    ['with another type', 'text/plain; charset=latin1', 'x'],
    ['with what is no JSON', 'application/json', '{'],
    ['with 100 KB', 'application/octet-stream', 'x'.repeat(100_000)],
  ])('unsubscribe in one click %s, without cookie, redirect or page', async (_, type, body) => {
    const subscription = await pending()
    await server.request('POST', subscription.confirm)
    for (const again of [1, 2]) {
      const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type }
      const answer = await server.request('POST', subscription.unsubscribe, {
        headers,
        ...(body !== undefined && { body }),
      })
      expect([again, answer.status, answer.headers['content-type']]).toEqual([again, 200, 'application/json'])
      expect([answer.headers['set-cookie'], answer.headers.location]).toEqual([undefined, undefined])
    }
    expect(await subscription.status()).toBe('ended')
  })

  it('unsubscribe at any time, whatever the state of the subscription', async () => {
    const subscription = await pending()
    await server.request('DELETE', `/subscriptions/${subscription.id}`, { token: await server.token('root', 'admin') })
    server.clock.advance(365 * 24 * 3600 * 1000)
    expect((await server.request('POST', subscription.unsubscribe)).status).toBe(200)
    const page = await server.request('GET', subscription.unsubscribe, { headers: HTML })
    isPage(page)
    expect([page.status, page.body.includes('You are not subscribed')]).toEqual([200, true])
  })

  it.each(PURPOSES)('do not accept a link to %s that was not signed, or is spelled differently', async (purpose) => {
    const { [purpose]: link } = await pending()
    for (const path of [
      `/${purpose}/x`,
      link.replace('.', '%2E'),
      link.replace(/(.)$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
      `/${purpose}/${'9'.repeat(10_000)}`,
      `/${purpose}/%00`,
    ])
      for (const method of ['GET', 'POST']) {
        const json = await server.request(method, path)
        expect([path, json.status, JSON.parse(json.body).error]).toEqual([path, 404, 'LinkNotValid'])
        const page = await server.request(method, path, { headers: HTML })
        isPage(page)
        expect([page.status, page.headers['cache-control']]).toEqual([404, 'no-store'])
      }
  })

  it('use the language of the subscription, then of the feed, then of the client', async () => {
    const token = await server.token('root', 'admin')
    await server.request('PUT', '/feeds/french', { token, json: { language: 'fr-CA' } })
    const languageOf = async (fields: Record<string, string>, acceptLanguage: string) => {
      const { confirm } = await pending(fields)
      const headers = { 'Accept-Language': acceptLanguage, ...HTML }
      const shown = await server.request('GET', confirm, { headers })
      const followed = await server.request('POST', confirm, { headers })
      const [, language] = /<html lang="(\w+)"/.exec(shown.body)!
      expect(/<html lang="(\w+)"/.exec(followed.body)![1]).toBe(language)
      return language
    }
    expect(await languageOf({ locale: 'de_AT', feed: 'french' }, 'es')).toBe('de')
    expect(await languageOf({ locale: 'pt-BR', feed: 'french' }, 'es')).toBe('fr')
    expect(await languageOf({ locale: 'pt-BR' }, 'nl, es;q=0.5, de;q=0.1')).toBe('es')
    expect(await languageOf({}, 'nl')).toBe('en')
    expect(await languageOf({}, '*')).toBe('en')
  })

  it('link to the sign-up page, in every language and below any base path', async () => {
    const below = await openServer({ publicUrl: 'https://rollcall.example/lists' })
    const token = await below.token('root', 'admin')
    await below.request('PUT', '/feeds/weekly', { token, json: {} })
    for (const texts of SHIPPED_LANGUAGES.values()) {
      const headers = { ...HTML, 'Accept-Language': texts.language }
      const wayOf = async (at: OpenServer, method: string, path: string, form?: Record<string, string>) => {
        const answer = await at.request(method, path, { headers, ...(form && { form }) })
        isPage(answer, texts.language)
        return /<a href="([^"]*)">([^<]*)<\/a>/.exec(answer.body)?.slice(1)
      }
      const { link } = texts.signUp
      const form = { email: 'back@example.com', feed: 'weekly' }
      expect(await wayOf(below, 'POST', '/subscribe', form)).toEqual(['/lists/subscribe?feed=weekly', link])
      expect(await wayOf(server, 'GET', '/subscribe?feed=nowhere')).toEqual(['/subscribe', link])
      for (const purpose of PURPOSES)
        for (const method of ['GET', 'POST'])
          expect(await wayOf(below, method, `/${purpose}/x`)).toEqual(['/lists/subscribe', link])
    }
  })

  it.each([
    ['GET', '/nowhere', 404, 'NotFound', 'There is nothing at this address'],
    ['POST', '/', 404, 'NotFound', 'There is nothing at this address'],
    ['GET', '/preferences/x/move', 405, 'MethodNotAllowed', 'cannot be used in that way'],
    ['DELETE', '/subscribe', 405, 'MethodNotAllowed', 'cannot be used in that way'],
    ['GET', '/%', 400, 'MalformedRequest', 'could not be understood'],
  ])('explain to a browser, and to a program in JSON, that %s %s is %i', async (method, path, status, error, text) => {
    const answer = await server.request(method, path, { headers: HTML })
    isPage(answer)
    expect([answer.status, answer.body.includes(text)]).toEqual([status, true])
    const json = await server.request(method, path)
    expect([json.status, JSON.parse(json.body).error]).toEqual([status, error])
  })

  it('explain nothing that speaks to programs alone: a browser gets their errors in JSON, too', async () => {
    for (const [method, status] of Object.entries({ GET: 401, DELETE: 405 })) {
      const answer = await server.request(method, '/users', { headers: HTML })
      expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json'])
    }
  })

  it('name the feed that was left, and lead back to it, as long as it takes sign-ups', async () => {
    const token = await server.token('root', 'admin')
    await server.request('PUT', '/feeds/left', { token, json: { title: 'The letter' } })
    const { unsubscribe } = await pending({ feed: 'left' })
    const way = '<a href="/subscribe?feed=left">Subscribe again</a>'
    for (const method of ['POST', 'GET', 'POST']) {
      const { body } = await server.request(method, unsubscribe, { headers: HTML })
      expect(body).toContain('Your subscription to <bdi>The letter</bdi> has ended.')
      expect(body).toContain(way)
    }
    await server.request('PATCH', '/feeds/left', { token, json: { open: false } })
    expect((await server.request('GET', unsubscribe, { headers: HTML })).body).not.toContain('Subscribe again')
  })

  it('show only the number of an unexpected error', async () => {
    const broken = await openServer()
    broken.useCases.subscribe.execute = async () => {
      throw new Error('secret')
    }
    const headers = { ...HTML, 'X-Request-Id': 'page-1' }
    const answer = await broken.request('POST', '/subscribe', { form: { email: 'a@example.com' }, headers })
    isPage(answer)
    expect([answer.status, answer.body.includes('page-1'), answer.body.includes('secret')]).toEqual([500, true, false])
  })
})
