import { beforeAll, describe, expect, it } from 'vitest'
import { putFeed } from './support/feeds.ts'
import { sharedServer } from './support/open-server.ts'

const HTML = { Accept: 'text/html' }
const BACK = 'https://shop.example/thanks?a=1&b="ü"'
const BACK_HREF = 'https://shop.example/thanks?a=1&b=%22%C3%BC%22'
const CONFIRMED = 'https://shop.example/welcome'
const WORDING = 'Yes, <every> Friday.\nSee https://shop.example/privacy?a=1&b=2.'

const server = await sharedServer()

describe('the sign-up of a feed', () => {
  beforeAll(async () => {
    const returnUrls = [BACK, 'http://[::1]:3000/', 'https://a;script-src.example/', 'app.shop:thanks']
    await putFeed(server, 'letter', { wording: WORDING, returnUrls, confirmedUrl: CONFIRMED, language: 'de' })
    await putFeed(server, 'shut', { title: 'The old letter', open: false, returnUrls: [BACK] })
  })

  let count = 0
  const form = (fields: Record<string, string> = {}) => ({
    email: `reader${++count}@example.com`,
    feed: 'letter',
    locale: 'en',
    ...fields,
  })
  const page = (path: string) => server.request('GET', path, { headers: HTML })
  const post = (fields: Record<string, string>, headers: Record<string, string> = HTML) =>
    server.request('POST', '/subscribe', { form: fields, headers })
  const stampIn = (body: string) => /name="stamp" value="([^"]*)"/.exec(body)![1]!
  const policyOf = ({ headers }: { headers: object }) =>
    /form-action [^;]*/.exec((headers as Record<string, string>)['content-security-policy']!)![0]
  const enc = encodeURIComponent

  it('leads back to the site of the feed, where it names one, from the page of each step', async () => {
    const homeUrl = 'https://www.shop.example:8443/?a=1&b=2'
    const way =
      '<a href="https://www.shop.example:8443/?a=1&amp;b=2">Go to <bdi dir="ltr">www.shop.example:8443</bdi></a>'
    await putFeed(server, 'homely', { homeUrl })
    for (const feed of ['homely', 'default']) {
      const { email } = form()
      const pages = [(await post({ email, feed, locale: 'en' })).body]
      const { confirm, unsubscribe } = await server.links()
      for (const path of [confirm, confirm, unsubscribe])
        pages.push((await server.request('POST', path, { headers: HTML })).body)
      pages.push((await page(unsubscribe)).body)
      expect(pages.map((body) => body.includes(way))).toEqual(pages.map(() => feed === 'homely'))
    }
  })

  it('redirects a browser to exactly the return URL that it asked for', async () => {
    const headers = { location: BACK_HREF, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
    expect(await post(form({ return_to: BACK }))).toMatchObject({ status: 303, headers })
    const asked = await page(`/subscribe?feed=letter&return_to=${enc(BACK)}`)
    expect(asked.status).toBe(200)
    expect(asked.body).toContain(
      '<input type="hidden" name="return_to" value="https://shop.example/thanks?a=1&amp;b=&quot;ü&quot;">',
    )
    expect(policyOf(asked)).toBe("form-action 'self' https://shop.example")
  })

  it('redirects in the same way whether or not the address is known', async () => {
    const fields = form({ return_to: BACK })
    const answers = [await post(fields), await post(fields), await post({ ...fields, website: 'x' })]
    for (const { status, headers } of answers) expect([status, headers.location]).toEqual([303, BACK_HREF])
  })

  it('answers a program in JSON, whatever its return URL', async () => {
    for (const Accept of ['application/json', '*/*', 'image/png']) {
      const answer = await post(form({ return_to: BACK }), { Accept })
      expect([answer.status, answer.headers.location]).toEqual([200, undefined])
      expect(Object.keys(JSON.parse(answer.body))).toEqual(['message', 'subscription'])
      expect(Object.keys(JSON.parse(answer.body).subscription)).toEqual(['name', 'email', 'id', 'feed'])
    }
  })

  it.each([BACK_HREF, `${BACK}#`, 'https://shop.example/', 'javascript:alert(1)', '//evil.example', CONFIRMED])(
    'redirects no client to %s',
    async (elsewhere) => {
      const asked = await page(`/subscribe?feed=letter&return_to=${enc(elsewhere)}`)
      const posted = await post(form({ return_to: elsewhere, name: 'Ada' }))
      for (const answer of [asked, posted]) {
        expect([answer.status, answer.headers.location]).toEqual([422, undefined])
        expect(answer.body).toMatch(/role="alert"/)
        expect(answer.body).not.toContain('name="return_to"')
        expect(policyOf(answer)).toBe("form-action 'self'")
      }
      expect(posted.body).toContain('value="Ada"')
      const json = await server.ask('GET', `/subscribe?feed=letter&return_to=${enc(elsewhere)}`)
      const details = [{ field: 'return_to', message: expect.any(String) }]
      expect([json.status, json.value.details]).toEqual([422, details])
    },
  )

  it('keeps the return URL while something else is corrected, and reports a wrong one at once', async () => {
    const right = await post(form({ email: 'bad', return_to: BACK }))
    expect(right).toMatchObject({ status: 422, body: expect.stringContaining('name="return_to"') })
    expect(policyOf(right)).toBe("form-action 'self' https://shop.example")
    const wrong = await post(form({ email: 'bad', return_to: 'https://evil.example' }))
    expect(wrong.body.match(/class="alarm"/g)).toHaveLength(2)
    expect(wrong.body).not.toContain('name="return_to"')
  })

  it.each([
    ['http://[::1]:3000/', 'http:'],
    ['https://a;script-src.example/', 'https:'],
    ['app.shop:thanks', 'app.shop:'],
  ])('lets a form redirect to %s without adding its host to the policy', async (url, source) => {
    expect(policyOf(await page(`/subscribe?feed=letter&return_to=${enc(url)}`))).toBe(`form-action 'self' ${source}`)
  })

  it('redirects a browser that confirms to the feed’s URL, each time, and a program to none', async () => {
    await post(form())
    const { confirm, refuse, unsubscribe } = await server.links()
    expect(policyOf(await page(confirm))).toBe("form-action 'self' https://shop.example")
    expect(policyOf(await page(refuse))).toBe("form-action 'self'")
    for (const again of [1, 2]) {
      const answer = await server.request('POST', confirm, { headers: HTML })
      expect([again, answer.status, answer.headers.location]).toEqual([again, 303, CONFIRMED])
      expect([answer.headers['referrer-policy'], answer.headers['cache-control']]).toEqual(['no-referrer', 'no-store'])
    }
    const program = await server.request('POST', confirm)
    expect([program.status, program.headers.location]).toEqual([200, undefined])
    const ended = await server.request('POST', unsubscribe, { headers: HTML })
    expect([ended.status, ended.headers.location]).toEqual([200, undefined])
  })

  it('shows the form again if it was sent too quickly, and accepts it the second time', async () => {
    const stamp = stampIn((await page('/subscribe?feed=letter')).body)
    const fields = form({ stamp, name: 'Ada <3', return_to: BACK })
    server.clock.advance(999)
    const quick = await post(fields)
    expect(quick.status).toBe(422)
    const parts = [fields.email, 'Ada &lt;3', 'That was quick!', `name="stamp" value="${stamp}"`, 'name="return_to"']
    for (const part of parts) expect(quick.body).toContain(part)
    expect(quick.body).toMatch(/<button type="submit" aria-describedby="alarm wording" autofocus>/)
    server.clock.advance(1)
    expect((await post({ ...fields, stamp: stampIn(quick.body) })).status).toBe(303)
  })

  it('accepts forms without a stamp, or with an unknown one, as forms of other sites', async () => {
    for (const stamp of [undefined, '', 'x', '1.00000000000000000000000000000000'])
      expect((await post(form(stamp === undefined ? {} : { stamp }))).status).toBe(200)
    expect((await server.request('POST', '/subscribe', { json: form() })).status).toBe(200)
  })

  it('shows the consent wording, escaped, in its own language, with links', async () => {
    const { body } = await server.request('GET', '/subscribe?feed=letter', { headers: { 'Accept-Language': 'fr' } })
    expect(body).toContain('<html lang="de" dir="ltr">')
    expect(body).toContain(
      '<p class="wording" id="wording" dir="auto">Yes, &lt;every&gt; Friday.\nSee <a href="https://shop.example/privacy?a=1&amp;b=2">https://shop.example/privacy?a=1&amp;b=2</a>.</p>',
    )
    const inFrench = await post(form({ email: 'bad', locale: 'fr' }))
    expect(inFrench.body).toContain('<html lang="fr" dir="ltr">')
    expect(inFrench.body).toContain('<p class="wording" id="wording" dir="auto" lang="de">')
    expect(inFrench.body).toContain('<bdi lang="de">letter</bdi>')
    // The language of the feed is that of the next step, too, if the form names none.
    const { email, feed } = form()
    const next = await post({ email, feed }, { ...HTML, 'Accept-Language': 'fr' })
    expect(next.body).toContain('<html lang="de" dir="ltr">')
  })

  it('explains that it is closed, and refuses forms that are sent anyway', async () => {
    const shown = await page('/subscribe?feed=shut')
    const posted = await post(form({ feed: 'shut' }))
    const wrong = await post(form({ feed: 'shut', email: 'bad', return_to: 'https://evil.example' }))
    const strayed = await page('/subscribe?feed=shut&return_to=https://evil.example')
    expect([shown, posted, wrong, strayed].map(({ status }) => status)).toEqual([200, 422, 422, 200])
    for (const { body } of [shown, posted, wrong, strayed]) {
      expect(body).toContain('<h1><bdi>The old letter</bdi> takes no new subscriptions</h1>')
      expect(body).not.toMatch(/<form|<button|<details|role="alert"/)
    }
    const json = await server.request('POST', '/subscribe', { json: form({ feed: 'shut' }) })
    expect([json.status, JSON.parse(json.body).details[0].field]).toEqual([422, 'feed'])
  })
})
