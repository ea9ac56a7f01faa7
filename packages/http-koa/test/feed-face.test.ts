import { beforeAll, describe, expect, it } from 'vitest'
import { PNG } from './support/feeds.ts'
import { sharedServer } from './support/open-server.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
const EVIL = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

const server = await sharedServer()
const admin = await server.token('root', 'admin')
const auditor = await server.token('eve', 'auditor')

describe('the face of a feed', () => {
  beforeAll(async () => {
    const face = {
      accent: '#ffcc00',
      footer: { de: 'Beispiel GmbH\nhttps://example.com/imprint' },
      words: { de: { sign_up_text: 'Schön, dass Sie da sind <b>!', confirmed_text: 'Bis bald.' } },
    }
    const put = { title: 'News', description: 'Once a month', language: 'de', ...face }
    await server.request('PUT', '/feeds/news', { token: admin, json: put })
  })

  const logo = (method: string, body?: string | Buffer, { token = admin, type = 'image/png', name = 'news' } = {}) =>
    server.request(method, `/feeds/${name}/logo`, {
      token,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': type } }),
    })
  const page = (path: string) => server.request('GET', path, { headers: { Accept: 'text/html' } })

  it('has a logo of its own, which comes back as what it is, and can do nothing', async () => {
    expect((await logo('GET')).status).toBe(404)
    expect((await logo('DELETE')).status).toBe(404)
    // What it is does not depend on what it is called.
    for (const [body, type] of [
      [SVG, 'image/svg+xml'],
      [PNG, 'image/png'],
    ] as const) {
      const put = await logo('PUT', body, { type: 'application/octet-stream' })
      expect([put.status, put.headers.location]).toEqual(
        type === 'image/png' ? [204, undefined] : [201, '/feeds/news/logo'],
      )
      const { status, headers, bytes } = await logo('GET', undefined, { token: auditor })
      expect([status, headers['content-type']]).toEqual([200, type])
      expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      if (type === 'image/png') expect(bytes).toEqual(PNG)
      expect(JSON.parse((await server.request('GET', '/feeds/news', { token: admin })).body).logo).toBe(type)
    }
    await server.request('PUT', '/feeds/news', { token: admin, json: { title: 'News', language: 'de' } })
    expect((await logo('GET')).status).toBe(200)
    expect((await logo('DELETE')).status).toBe(204)
    expect((await logo('GET')).body).toContain('LogoNotFound')
  })

  it.each<[what: string, body: string | Buffer, status: number, says: RegExp]>([
    ['a script in it', EVIL, 422, /event handler/],
    ['something else', 'GIF89a', 422, /PNG, or as an SVG/],
    ['nothing', '', 422, /PNG, or as an SVG/],
    ['too much', Buffer.alloc(65_537), 413, /64 KiB/],
  ])('refuses a logo with %s', async (_, body, status, says) => {
    const answer = await logo('PUT', body)
    expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(says)])
  })

  it('refuses a logo of a feed that there is not', async () => {
    expect((await logo('PUT', PNG, { name: 'nothing' })).status).toBe(404)
  })

  it('is on the pages of the feed, and nothing of it is loaded from elsewhere', async () => {
    await logo('PUT', PNG)
    const { body, headers } = await page('/subscribe?feed=news')
    expect(body).toContain(`<img class="logo" src="data:image/png;base64,${PNG.toString('base64')}" alt="News">`)
    expect(body).toContain('Schön, dass Sie da sind &lt;b>!'.replace('>', '&gt;'))
    expect(body).not.toContain('Once a month')
    expect(body).toMatch(/<footer dir="auto">Beispiel GmbH\n<a href="https:\/\/example\.com\/imprint">/)
    const [, sheet = ''] = /<style>(:root\{--accent:#ffcc00;--on-accent:#000000[^<]*)<\/style>/.exec(body) ?? []
    const { createHash } = await import('node:crypto')
    expect(headers['content-security-policy']).toContain(
      `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`,
    )
    expect(headers['content-security-policy']).toContain('img-src data:')
    const plain = await page('/subscribe')
    expect(plain.body).not.toMatch(/<img|<footer|--accent:#ffcc00/)
  })

  it('is on the pages of links, and says its words to those who have confirmed', async () => {
    await server.request('POST', '/subscribe', { form: { email: 'ada@example.com', feed: 'news' } })
    const { confirm } = await server.links()
    const html = { headers: { Accept: 'text/html' } }
    expect((await server.request('GET', confirm, html)).body).toContain('<img class="logo"')
    const { body } = await server.request('POST', confirm, html)
    expect(body).toContain('<p class="lead">Bis bald.</p>')
    expect(body).toContain('<footer')
  })

  it('can be looked at before: each page and mail', async () => {
    const preview = (query: string) => server.request('GET', `/feeds/news/preview?${query}`, { token: auditor })
    for (const name of ['sign-up', 'pending', 'confirm', 'confirmed', 'unsubscribe', 'unsubscribed']) {
      const { status, body, headers } = await preview(`page=${name}&language=fr`)
      expect([name, status, headers['content-type']]).toEqual([name, 200, 'text/html; charset=utf-8'])
      expect(body).toContain('<html lang="fr"')
      expect(body).toContain('<img class="logo"')
      expect(headers['content-security-policy']).toMatch(/^sandbox;/)
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
    for (const mail of ['confirmation', 'reminder', 'already-subscribed', 'welcome']) {
      const { status, body } = await preview(`mail=${mail}`)
      expect([mail, status]).toEqual([mail, 200])
      expect(body).toContain('/unsubscribe/preview')
      expect((await preview(`mail=${mail}&message=true`)).headers['content-type']).toBe('message/rfc822')
    }
    const both = ['mail=welcome&page=confirm', 'mail=welcome&language=_', 'page=confirm&message=true']
    for (const wrong of ['', 'page=x', 'mail=x', ...both])
      expect([wrong, (await preview(wrong)).status]).toEqual([wrong, 422])
  })

  it('can be had as a mail, which is in the trail without its address', async () => {
    const send = (json: object) => server.request('POST', '/feeds/news/preview', { token: admin, json })
    const before = server.transport.mails.length
    expect((await send({ mail: 'welcome', to: 'me@example.com', language: 'de' })).status).toBe(204)
    expect(server.transport.mails.slice(before)).toMatchObject([
      { kind: 'welcome', to: 'me@example.com', locale: 'de' },
    ])
    const { items } = JSON.parse((await server.request('GET', '/audit', { token: admin })).body)
    expect(items.at(-1)).toMatchObject({ action: 'feed.preview', target: 'news', reason: 'welcome' })
    expect(JSON.stringify(items)).not.toContain('me@example.com')
    for (const wrong of [{ mail: 'x', to: 'a@b.example' }, { mail: 'welcome', to: 'x' }, { mail: 'welcome' }])
      expect((await send(wrong)).status).toBe(422)
    server.transport.otherSide = async () => {
      throw new Error('No route to relay')
    }
    const failed = await send({ mail: 'welcome', to: 'me@example.com' })
    expect([failed.status, failed.body]).toEqual([503, expect.stringContaining('No route to relay')])
  })
})
