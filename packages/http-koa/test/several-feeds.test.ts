import { beforeAll, describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'

const HTML = { Accept: 'text/html' }
const RETURN = 'https://shop.example/thanks'

const server = await sharedServer()

describe('a form for several feeds', () => {
  beforeAll(async () => {
    const token = await server.token('root', 'admin')
    const put = (name: string, json: object) => server.request('PUT', `/feeds/${name}`, { token, json })
    await put('weekly', { title: 'The <Weekly>', return_urls: [RETURN], confirmed_url: `${RETURN}?w` })
    await put('offers', { title: 'Offers', return_urls: [RETURN, `${RETURN}?o`], wording: 'Yes, offers.' })
    await put('closed', { title: 'Closed', open: false })
  })

  it('asks for what all of them take, and says so if there is nothing', async () => {
    const token = await server.token('root', 'admin')
    const size = (choices: readonly string[]) => ({ name: 'size', type: 'choice', label: { en: 'Size' }, choices })
    for (const [name, field] of [
      ['shirts', size(['S', 'M', 'L'])],
      ['coats', size(['M', 'L', 'XL'])],
      ['shoes', size(['40', '41'])],
      ['rings', { name: 'size', type: 'number', label: { en: 'Size' } }],
    ] as const)
      await server.request('PUT', `/feeds/${name}`, { token, json: { fields: [field] } })
    const page = (feeds: string, headers: Record<string, string> = HTML) =>
      server.request('GET', `/subscribe?feeds=${feeds}`, { headers })
    const both = await page('shirts+coats')
    const options = [...both.body.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)
    expect([both.status, options]).toEqual([200, ['', 'M', 'L']])
    // Nobody requires it.
    for (const others of ['shirts+shoes', 'shirts+rings']) {
      const { status, body } = await page(others)
      expect([status, body.includes('field_size')]).toEqual([200, false])
    }
    const required = { ...size(['40', '41']), required: true }
    await server.request('PUT', '/feeds/shoes', { token, json: { fields: [required] } })
    const refused = await page('shirts+shoes')
    expect([refused.status, refused.body]).toEqual([422, expect.stringContaining('cannot be asked for together')])
    expect((await page('shirts+shoes', { Accept: 'application/json' })).body).toContain("'size' in different ways")
  })

  let count = 0
  const anEmail = () => `ada${++count}@example.com`
  const sent = () => server.useCases.deliverOutbox.execute({ limit: 100 })
  const post = async (fields: object, kind: 'json' | 'form' = 'json') => {
    const { status, body } = await server.request('POST', '/subscribe', { [kind]: fields })
    return { status, body: JSON.parse(body) }
  }

  it('is answered with a subscription for each feed, in the order given, in JSON and in a form', async () => {
    const email = anEmail()
    const json = await post({ email, name: 'Ada', feeds: ['offers', 'weekly', 'offers'] })
    expect(json.status).toBe(200)
    const [offers, weekly] = json.body.subscriptions
    expect(json.body).toEqual({
      message: 'User subscription pending. A confirmation email has been sent.',
      subscriptions: [
        { name: 'Ada', email, id: offers.id, feed: 'offers' },
        { name: 'Ada', email, id: weekly.id, feed: 'weekly' },
      ],
    })
    const form = await post({ email, name: 'Ada', feeds: 'offers weekly' }, 'form')
    expect(form).toEqual(json)
    await sent()
    expect(server.transport.mails.filter(({ to }) => to === email)).toHaveLength(1)
    const one = await server.request('POST', '/subscribe', { form: { email, name: 'Ada', feed: 'weekly' } })
    expect(one.body).toBe(
      `{"message":"User subscription pending. A confirmation email has been sent.","subscription":{"name":"Ada","email":"${email}","id":${weekly.id},"feed":"weekly"}}`,
    )
  })

  it.each([
    [{ feeds: ['weekly'], feed: 'weekly' }, 'feeds'],
    [{ feeds: [] }, 'feeds'],
    [{ feeds: 'weekly' }, 'feeds'],
    [{ feeds: ['weekly', 7] }, 'feeds'],
    [{ feeds: ['weekly', 'offers'], return_to: `${RETURN}?o` }, 'return_to'],
  ])('is refused as a whole where it is not good: %j', async (fields, field) => {
    const refused = await post({ email: anEmail(), ...fields })
    expect(refused).toMatchObject({ status: 422, body: { error: 'InvalidInput', details: [{ field }] } })
    await sent()
    expect(server.transport.mails.some(({ to }) => to === `ada${count}@example.com`)).toBe(false)
  })

  it('has a page with the titles and wordings of all of them, and their names in a hidden field', async () => {
    const { status, body } = await server.request('GET', '/subscribe?feeds=weekly+offers', { headers: HTML })
    expect(status).toBe(200)
    expect(body).toContain('<h1>Subscribe to <bdi>The &lt;Weekly&gt;</bdi> and <bdi>Offers</bdi></h1>')
    expect(body).toContain('<input type="hidden" name="feeds" value="weekly offers">')
    expect(body).toContain('<p class="wording" id="wording-offers" dir="auto">Yes, offers.</p>')
    expect(body).toContain('<button type="submit" aria-describedby="wording-offers">')
    const closed = await server.request('GET', '/subscribe?feeds=weekly+closed', { headers: HTML })
    expect(closed.body).toContain('<bdi>Closed</bdi> takes no new subscriptions')
    expect((await server.request('GET', '/subscribe?feeds=weekly+none')).status).toBe(404)
  })

  it('is shown again with what was typed where something is wrong', async () => {
    const form = { email: 'no address', name: 'Ada', feeds: 'weekly offers' }
    const { status, body } = await server.request('POST', '/subscribe', { form, headers: HTML })
    expect(status).toBe(422)
    expect(body).toContain('<input type="hidden" name="feeds" value="weekly offers">')
    expect(body).toContain('value="no address"')
    const good = { ...form, email: anEmail(), return_to: RETURN }
    const sentOn = await server.request('POST', '/subscribe', { form: good, headers: HTML })
    expect([sentOn.status, sentOn.headers.location]).toEqual([303, RETURN])
  })

  describe('and its confirmation', () => {
    const pending = async () => {
      const { body } = await post({ email: anEmail(), feeds: ['weekly', 'offers'] })
      const token = await server.token('root', 'admin')
      const statusOf = async ({ id }: { id: number }) =>
        (await server.ask('GET', `/subscriptions/${id}`, { token })).value.status
      const statuses = () => Promise.all(body.subscriptions.map(statusOf))
      return { statuses, ...(await server.links()) }
    }

    it('is a page with a ticked box for each feed, whose button says how many', async () => {
      const { confirm, statuses } = await pending()
      const { status, body } = await server.request('GET', confirm, { headers: HTML })
      expect(status).toBe(200)
      for (const [name, title] of Object.entries({ weekly: 'The &lt;Weekly&gt;', offers: 'Offers' }))
        expect(body).toContain(`<input type="checkbox" name="feed-${name}" value="on" checked> <bdi>${title}</bdi>`)
      expect(body).toContain('Confirm subscriptions (<span class="ticked"><span>2</span></span>)</button>')
      expect(await statuses()).toEqual(['pending', 'pending'])
    })

    it('confirms what is ticked, and then the rest', async () => {
      const { confirm, statuses } = await pending()
      const press = (form: Record<string, string>) =>
        server.request('POST', confirm, { form: { boxes: 'weekly offers', ...form }, headers: HTML })
      const none = await press({})
      expect(none.status).toBe(422)
      expect(none.body).toContain('Choose at least one.')
      expect(await statuses()).toEqual(['pending', 'pending'])
      const some = await press({ 'feed-offers': 'on' })
      expect([some.status, some.headers.location]).toEqual([200, undefined])
      expect(some.body).toContain('Your subscriptions are confirmed: <bdi>Offers</bdi>.')
      expect(await statuses()).toEqual(['pending', 'confirmed'])
      const page = await server.request('GET', confirm, { headers: HTML })
      expect(page.body).not.toContain('name="feed-offers"')
      expect(page.body).toContain('You are subscribed already: <bdi>Offers</bdi>.')
      const rest = await press({ 'feed-weekly': 'on' })
      expect([rest.status, rest.headers.location]).toEqual([303, `${RETURN}?w`])
      const done = await server.request('GET', confirm, { headers: HTML })
      expect(done.body).toContain('There is nothing left to do.')
    })

    it('takes names in JSON, and all without a body', async () => {
      const one = await pending()
      expect((await server.request('POST', one.confirm, { json: { feeds: ['weekly'] } })).status).toBe(200)
      expect(await one.statuses()).toEqual(['confirmed', 'pending'])
      const none = await server.request('POST', one.confirm, { json: { feeds: ['nothing'] } })
      expect([none.status, JSON.parse(none.body).details[0].field]).toEqual([422, 'feeds'])
      const of = await post({ email: anEmail() })
      expect(of.status).toBe(200)
      const { confirm } = await server.links()
      expect((await server.request('POST', confirm, { form: { feeds: 'weekly' } })).status).toBe(422)
      expect((await server.request('POST', confirm, { form: { feeds: 'weekly default' } })).status).toBe(200)
      const both = await pending()
      expect((await server.request('POST', both.confirm)).status).toBe(200)
      expect(await both.statuses()).toEqual(['confirmed', 'confirmed'])
    })
  })
})
