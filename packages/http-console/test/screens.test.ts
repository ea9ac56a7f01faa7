import { type AddressHash, operator, type UserId, type WebhookName, WebhookRefused, withAnswer } from '@rollcall/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FilledConsole, filledConsole } from './support/filled-console.ts'
import type { TestBrowser } from './support/open-console.ts'
import { PAGE_ROUTES, screenOf } from './support/page-routes.ts'

let at: FilledConsole
let browser: TestBrowser
beforeEach(async () => {
  at = await filledConsole()
  browser = await at.loggedIn()
})
afterEach(async () => {
  expect(at.problems).toEqual([])
  await at.close()
})

const OPS = operator('ops')
const user = (userId: string) => at.useCases.getUser.execute({ userId }, OPS)
const heading = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="(.*?)"`).exec(text)?.[1] ?? ''

describe('every screen', () => {
  it('is answered, within 30 KiB with all that it loads, and leads only to pages that there are', async () => {
    const found: Record<string, number> = {}
    const links = new Set<string>()
    const zipped = { 'Accept-Encoding': 'gzip' }
    const loaded = await Promise.all(['/style.css', '/script.js'].map((path) => at.request('GET', path, zipped)))
    const assets = loaded.reduce((sum, { headers }) => sum + Number(headers['content-length']), 0)
    for (const path of Object.keys(at.screens)) {
      const { status, text } = await browser.get(path)
      found[path] = status
      expect(assets + Buffer.byteLength(text)).toBeLessThan(30 * 1024)
      for (const [, href = ''] of text.matchAll(/ href="(\/[^"]*)"/g)) links.add(href.replaceAll('&amp;', '&'))
    }
    expect(found).toEqual(at.screens)
    const broken: string[] = []
    for (const href of links) if (![200, 410].includes((await browser.get(href)).status)) broken.push(href)
    expect(broken).toEqual(['/users/missing'])
  })

  it.each(['constructor', '__proto__', 'toString'])('is none for the name %s, which every object has', async (name) => {
    for (const path of [`/${name}`, `/${name}/x`]) expect(await browser.get(path)).toMatchObject({ status: 404 })
  })

  it('is among those that are looked at here', () => {
    expect(PAGE_ROUTES.filter((route) => screenOf(route, at) === undefined)).toEqual([])
  })

  it('shows an auditor nothing to press but what an auditor may', async () => {
    const auditor = await at.loggedIn('eve')
    const refused: string[] = []
    for (const path of Object.keys(at.screens)) {
      const { status, text } = await auditor.get(path)
      if (status === 403) refused.push(path)
      else
        for (const [, action = ''] of text.matchAll(/<form[^>]*method="post" action="([^"]*)"/g))
          expect(action).toMatch(
            /^\/(find|logout|users|subscriptions|audit\/verify(\/[0-9a-f]+)?|sessions\/[0-9a-f]+\/end)$/,
          )
    }
    expect(refused).toContain('/deletions')
    expect(refused).toContain('/users/ada/delete')
    expect(refused).not.toContain('/audit')
  })
})

describe('the box', () => {
  const find = async (q: string) => await browser.post('/find', { q })

  it('leads to a page whose address names no person', async () => {
    for (const q of [
      'ada@example.com',
      ' ADA@example.com ',
      'bob@example.com',
      'root@example.com',
      'ada',
      'new@example.com',
    ]) {
      const { status, headers } = await find(q)
      expect([q, status]).toEqual([q, 303])
      expect(headers.location).not.toMatch(/@|%40|example/)
      expect([200]).toContain((await browser.get(headers.location ?? '')).status)
    }
    expect((await find('root@example.com')).headers.location).toBe('/users/root')
    expect((await find('held')).headers.location).toBe('/users/held')
  })

  it('shows all that begin so, newest first, page by page, and keeps what was typed out of every address', async () => {
    const onForm = { via: 'form', clientAddress: undefined, userAgent: undefined }
    for (let n = 0; n < 27; n++)
      await at.useCases.subscribe.execute({ email: `many${n}@example.com`, name: 'Zoë Many', source: onForm })
    const first = await find('zoe ma')
    expect(first.status).toBe(200)
    expect([first.text.includes('many26@'), first.text.includes('many0@')]).toEqual([true, false])
    const [, cursor = ''] = /name="subscriptions" value="(\d+)"/.exec(first.text) ?? []
    const second = await browser.post('/find', { q: 'zoe ma', subscriptions: cursor })
    expect([second.text.includes('many26@'), second.text.includes('many0@')]).toEqual([false, true])
    const [, back = ''] = /name="subscriptions" value="(-\d+)"/.exec(second.text) ?? []
    expect((await browser.post('/find', { q: 'zoe ma', subscriptions: back })).text).toContain('many26@')
    for (const { text } of [first, second]) expect(text).not.toMatch(/(?:href|action)="[^"]*(?:zoe|many)/)
    expect((await find('many26@ex')).headers.location).toMatch(/^\/subscriptions\/\d+$/)
    expect((await find('held')).headers.location).toBe('/users/held')
  })

  it('says what is wrong with what was typed, and keeps it', async () => {
    const nothing = await find('nothing-of-this-name')
    expect([nothing.status, nothing.text.includes('value="nothing-of-this-name"')]).toEqual([404, true])
    expect((await find('not@an@address')).status).toBe(404)
    expect((await find('a b c d e f g h i')).status).toBe(422)
    for (const signs of ['"', '\u200b']) expect((await find(signs)).status).toBe(404)
    const unknown = await browser.send('/find', { q: 'new@example.com' })
    expect(unknown.text).toContain('There is no subscription of this address.')
    const { text } = await browser.get((await find('bob@example.com')).headers.location ?? '')
    const [, address = ''] = /href="(\/addresses\/[^"]*)"/.exec(text) ?? []
    expect((await browser.get(address)).text).not.toContain('There is no subscription')
  })

  it('shows why no mail came, in every feed, with the ledger', async () => {
    const { text } = await browser.send('/find', { q: 'bob@example.com' })
    for (const part of [
      'refused',
      'Why a mail came, or none',
      'Ledger of consent',
      '/addresses/',
      'bob@<wbr>example.com',
    ])
      expect(text).toContain(part)
    expect((await browser.send('/find', { q: 'ada@example.com' })).text).toContain('weekly')
  })
})

it('tells a user without a role what to do', async () => {
  await at.useCases.putUser.execute({ userId: 'norole', email: 'norole@example.com', name: '', roles: [] }, OPS)
  const { status, text } = await (await at.loggedIn('norole')).get('/')
  expect(status).toBe(200)
  expect(text).toContain('You have no role that may look for people.')
  expect(text).not.toContain('name="q"')
})

describe('a deed', () => {
  it('is asked for first, done with a reason, and on record by the console', async () => {
    const { headers } = await browser.post('/find', { q: 'ada@example.com' })
    const path = headers.location ?? ''
    const asked = await browser.get(`${path}/confirm`)
    const status = hidden(asked.text, 'status')
    expect((await browser.post(`${path}/confirm`, { status, reason: '' })).status).toBe(422)
    expect((await browser.post(`${path}/confirm`, { status, reason: 'wrote ada@example.com' })).status).toBe(422)
    const { text } = await browser.send(`${path}/confirm`, { status, reason: 'on paper' })
    expect(text).toContain('The subscription is confirmed.')
    // What the page showed is no longer so.
    expect((await browser.post(`${path}/confirm`, { status, reason: 'on paper' })).status).toBe(412)
    await browser.send(`${path}/end`, { status: 'confirmed', reason: 'by letter' })
    await browser.send(`${path}/erase`, { status: 'ended' })
    expect((await browser.get(path)).status).toBe(404)
    const { items } = await at.useCases.searchAudit.execute({}, OPS)
    const ours = items
      .filter(({ channel }) => channel === 'console')
      .map(({ action, outcome }) => `${action} ${outcome}`)
    for (const action of ['confirm', 'end', 'erase']) expect(ours).toContain(`subscription.${action} done`)
  })

  it('of a feed is held to what was shown, also after a slip', async () => {
    const path = '/feeds/weekly/edit'
    const updated = hidden((await browser.get(path)).text, 'updated')
    at.clock.advance(1)
    await at.useCases.patchFeed.execute({ name: 'weekly', description: 'Theirs.' }, OPS)
    const slip = await browser.post(path, { updated, title: 'Ours', fields: '{"name"' })
    expect([slip.status, hidden(slip.text, 'updated')]).toEqual([422, updated])
    expect((await browser.post(path, { updated: hidden(slip.text, 'updated'), title: 'Ours' })).status).toBe(412)
  })

  it('shows each cause of a suppression, and lifts the one that is chosen', async () => {
    const { items } = await at.useCases.listSuppressions.execute({}, OPS)
    const [{ address } = { address: '' as AddressHash }] = items
    await at.storage.unitOfWork.run(async ({ suppressions }) => {
      await suppressions.add(address, { cause: 'never-again', since: 5 })
      await suppressions.add(address, { cause: 'blocked', since: 9 })
    })
    const { headers } = await browser.post('/find', { q: 'bob@example.com' })
    expect((await browser.get('/suppressions')).text).toMatch(/never-again <a.*<br>blocked <a/s)
    for (const page of [`/addresses/${address}`, headers.location ?? ''])
      expect((await browser.get(page)).text).toMatch(
        /never-again<\/span>.*blocked<\/span>.*<dd>never-again, <time.*<br>blocked, <time/s,
      )
    const path = `/suppressions/${address}/lift`
    const choices = async (query: string) =>
      [...(await browser.get(path + query)).text.matchAll(/type="radio" name="cause" value="(.*?)"( checked)?/g)].map(
        ([, cause, checked = '']) => cause + checked,
      )
    expect(await choices('')).toEqual(['never-again', 'blocked', 'all'])
    expect(await choices('?cause=blocked')).toEqual(['never-again', 'blocked checked', 'all'])
    const unsaid = await browser.post(path)
    expect([unsaid.status, unsaid.text.includes('id="cause-problem"')]).toEqual([422, true])
    await browser.send(path, { cause: 'blocked' })
    expect((await at.useCases.listSuppressions.execute({}, OPS)).items).toMatchObject([
      { cause: 'never-again', block: undefined },
    ])
    for (const query of ['', '?cause=blocked']) expect(await choices(query)).toEqual(['never-again checked'])
  })

  it('lifts a suppression', async () => {
    const { text } = await browser.get('/suppressions')
    const path = /\/addresses\/[0-9a-f]+/.exec(text)?.[0] ?? ''
    const lifted = await browser.send(`${path.replace('addresses', 'suppressions')}/lift`)
    expect(lifted.text).toContain('The suppression is lifted.')
    expect((await browser.get('/suppressions')).text).toContain('No address is suppressed.')
  })

  it('creates, changes, deletes and restores a user', async () => {
    const created = await browser.send('/users/-/new', {
      id: 'new',
      name: 'New',
      email: 'new@example.com',
      'role[]': 'auditor',
    })
    expect(created.text).toContain('Saved.')
    expect(await user('new')).toMatchObject({ roles: ['auditor'], name: 'New' })
    const again = await browser.post('/users/-/new', { id: 'new', email: 'other@example.com' })
    expect(again.status).toBe(412)
    expect(again.text).toContain('There is a user with this id.')
    expect(again.text).toContain('other@example.com')
    expect((await browser.post('/users/-/new', { id: 'x', email: 'new' })).status).toBe(422)
    const updated = hidden((await browser.get('/users/new/edit')).text, 'updated')
    at.clock.advance(1)
    await browser.send('/users/new/edit', { updated, name: 'Newer', email: 'new@example.com' })
    expect(await user('new')).toMatchObject({ roles: [], name: 'Newer' })
    // What was typed is not lost, and never replaces what another has written meanwhile and nobody has seen here.
    for (const email of ['new@example.com', 'new']) {
      const stale = await browser.post('/users/new/edit', { updated, name: 'Newest', email })
      expect([stale.status, hidden(stale.text, 'updated')]).toEqual([412, updated])
      expect(stale.text).toContain('has changed since you opened this page')
      expect(stale.text).toContain('value="Newest"')
      expect(stale.text).toContain('<a href="/users/new/edit">Open it as it is now')
    }
    const asked = await browser.get('/users/new/delete')
    const form = { updated: hidden(asked.text, 'updated'), count: hidden(asked.text, 'count'), reason: 'left' }
    const { status, text } = await browser.send('/users/new/delete', form)
    expect([status, heading(text)]).toEqual([410, 'Deleted user: new'])
    expect((await browser.send('/users/new/restore')).text).toContain('The user is restored.')
    expect(await user('new')).toMatchObject({ name: 'Newer' })
  })

  it('of a user or a token that is refused keeps what was typed, and says at the field what is wrong', async () => {
    const beside = (text: string, name: string) =>
      new RegExp(`<p class="problem" id="${name}-problem">(.*?)</p>`).exec(text)?.[1]
    const root = { updated: hidden((await browser.get('/users/root/edit')).text, 'updated'), email: 'root@example.com' }
    await at.useCases.putUser.execute({ userId: 'sus', email: 'sus@example.com', name: '', roles: [] }, OPS)
    await at.useCases.suspendUser.execute({ userId: 'sus' }, OPS)
    const person = { name: 'Typed', email: 'typed@example.com', 'role[]': 'auditor' }
    const token = { label: 'typed', 'role[]': 'sender', ttl: '86400' }
    for (const [path, fields, wanted, status, message] of [
      ['/users/-/new', { ...person, id: 'x', email: 'ada@example.com' }, 'email', 409, 'Another user has this'],
      ['/users/-/new', { ...person, id: 'held' }, 'id', 410, 'This user was deleted'],
      ['/users/root/edit', { ...person, ...root }, 'role', 409, 'This user is the last administrator'],
      ['/tokens/-/new', { ...token, subject: 'x', feed: 'weekly none' }, 'feed', 404, 'There is no feed'],
      ['/tokens/-/new', { ...token, subject: 'sus' }, 'subject', 409, 'This user is suspended'],
      ['/tokens/-/new', { ...token, subject: 'held' }, 'subject', 410, 'This user was deleted'],
    ] as const) {
      const answer = await browser.post(path, fields)
      expect([path, answer.status, beside(answer.text, wanted)]).toEqual([
        path,
        status,
        expect.stringContaining(message),
      ])
      const { 'role[]': role, ttl, ...texts } = { ttl: undefined, ...fields }
      for (const [name, value] of Object.entries(texts))
        expect(answer.text).toMatch(new RegExp(` name="${name}"[^>]* value="${value}"`))
      expect(answer.text).toContain(`value="${role}" checked`)
      if (ttl !== undefined) expect(answer.text).toContain(`value="${ttl}" selected`)
    }
  })

  it('that does the most harm takes a login of the last 15 minutes', async () => {
    const planned = Object.keys(at.screens).find((path) => /^\/deletions\/\w+$/.test(path)) ?? ''
    at.clock.advance(14 * 60_000)
    expect((await browser.get('/feeds/weekly/delete')).status).toBe(200)
    at.clock.advance(60_000)
    for (const path of ['/feeds/weekly/delete', '/tokens/-/new', '/transfer/export?feed=weekly&format=csv']) {
      const { status, text } = await browser.get(path)
      expect([path, status, heading(text)]).toEqual([path, 403, 'Log in once more'])
      const login = /href="(\/login[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const form = new URL(login, at.url).searchParams
      expect([form.has('again'), form.get('to')]).toEqual([true, path])
    }
    for (const [path, fields] of [
      ['/feeds/weekly/delete', {}],
      ['/tokens/-/new', { subject: 'x', ttl: '3600' }],
      [planned, { begin: 'deleting', typed: '1' }],
    ] as const)
      expect([path, (await browser.post(path, fields)).status]).toEqual([path, 403])
    expect(await user('ada')).toBeDefined()
    expect((await browser.get('/users/ada/delete')).status).toBe(200)
    const again = await at.loggedIn()
    expect((await again.post(planned, { begin: 'deleting', typed: '1' })).status).toBe(303)
  })

  it('issues a token, shows it once, and says what is wrong', async () => {
    const path = '/tokens/-/new'
    const refused = await browser.post(path, { subject: '', ttl: '3600' })
    expect([refused.status, refused.text.includes('aria-invalid')]).toEqual([422, true])
    const { text } = await browser.post(path, {
      subject: 'robot',
      'role[]': 'sender',
      feed: 'weekly',
      label: 'web-2',
      ttl: '86400',
    })
    expect(text).toContain('This is shown once.')
    const { items } = await at.useCases.listTokens.execute({ subject: 'robot' }, OPS)
    expect(items).toMatchObject([{ label: 'web-2', roles: ['sender'], feeds: ['weekly'] }])
  })

  it('stops the sign-ups of a feed, and takes them again', async () => {
    expect((await browser.send('/feeds/weekly/stop')).text).toContain('closed')
    expect(await at.useCases.getFeed.execute({ name: 'weekly' }, OPS)).toMatchObject({
      open: false,
      title: 'The weekly letter',
    })
    expect((await browser.send('/feeds/weekly/start')).text).toContain('takes sign-ups')
  })

  it('tries a webhook, says what it answered and since when it fails, and sends one event again', async () => {
    at.webhookTransport.otherSide = async () => ({ status: 200, head: 'pong' })
    expect((await browser.send('/webhooks/shop/test')).text).toMatch(/The target took the test event\..*pong/s)
    at.webhookTransport.otherSide = async () => {
      throw withAnswer(new WebhookRefused('The target answered 500.', { status: 500 }), { status: 500, head: '<b>oh' })
    }
    await at.useCases.putUser.execute({ userId: 'news', email: 'news@example.com', name: '', roles: [] }, OPS)
    await at.useCases.deliverEvents.advance({})
    await at.useCases.deliverEvents.finish()
    const { text } = await browser.get('/webhooks/shop')
    for (const part of ['failing', 'Failing since', 'The target answered 500.', '&lt;b&gt;oh'])
      expect(text).toContain(part)
    expect((await browser.get('/webhooks')).text).toContain('failing')
    expect((await browser.get('/health')).text).toMatch(/Webhooks that fail.*shop.*Failing since/s)
    expect((await browser.get('/')).text).toContain('Webhooks that fail')
    const position = hidden(text, 'position')
    expect((await browser.send('/webhooks/shop/replay', { position })).text).toContain('The event is sent again now.')
    expect((await browser.post('/webhooks/shop/replay', { position: '999' })).status).toBe(422)
    await at.useCases.patchWebhook.execute({ name: 'shop', enabled: false }, OPS)
    expect((await browser.send('/webhooks/shop/replay', { position })).text).toContain('The webhook is off')
  })

  it('decides on feedback once, and says if another has decided before', async () => {
    const { text } = await browser.get('/feedback')
    const ids = [...text.matchAll(/name="id\[\]" value="(\d+)"/g)].map(([, id = '']) => id)
    expect((await browser.send('/feedback', { 'id[]': ids, decision: 'drop' })).text).toContain('It is decided.')
    const late = await browser.send('/feedback', { 'id[]': ids, decision: 'accept' })
    expect(late.text).toContain('Nothing was done, as it is gone already')
  })

  it('tries again all that it shows as given up, and no other', async () => {
    const parked = async () => (await at.useCases.listOutbox.execute({ parked: true }, OPS)).items
    const source = { via: 'form', clientAddress: undefined, userAgent: undefined } as const
    for (let n = 0; n < 12; n++) await at.useCases.subscribe.execute({ email: `p${n}@example.com`, source })
    await at.storage.unitOfWork.run(async ({ outbox }) => {
      const mails = await outbox.claim({ owner: 'relay', limit: 12, leaseFor: 1_000 })
      const lost = mails.map(({ id }) => ({ id, notBefore: undefined, attempted: true, error: '550 no' }))
      await outbox.giveBack('relay', lost)
    })
    const before = (await parked()).length
    const { text } = await browser.get('/health')
    const ids = [...text.matchAll(/name="id\[\]" value="(\d+)"/g)].map(([, id = '']) => id)
    expect(ids).toHaveLength(10)
    expect((await browser.send('/outbox/mails/retry', { back: '/health', 'id[]': ids })).text).toContain('tried again')
    expect(await parked()).toHaveLength(before - 10)
    expect((await browser.send('/outbox/mails/retry', { 'id[]': ['999', 'x'] })).text).toContain('gone already')
  })

  it('downloads what is stored of a user, and the list of subscriptions', async () => {
    const stored = await browser.get('/users/ada/export')
    expect(JSON.parse(stored.text)).toMatchObject({
      user: { id: 'ada' },
      subscriptions: [{}, {}],
      deliverability: null,
      waiting_feedback: [],
      tokens: [],
      sessions: [],
    })
    expect(stored.headers['content-disposition']).toBe('attachment; filename="user.json"')
    const list = await browser.get('/transfer/export?format=csv&feed=weekly&status=')
    expect(list.text.trim().split('\r\n')).toHaveLength(2)
    const forExcel = await browser.get('/transfer/export?format=excel-semicolon&feed=weekly')
    expect(forExcel.text).toMatch(/^\ufeff?email;name;/)
  })

  it('says that a download failed: by a page while nothing of it is out, and then by breaking it off', async () => {
    const failing = async function* (first?: string) {
      if (first !== undefined) yield first
      throw new Error('storage went away')
    }
    const { exportSubscriptions } = at.useCases
    Object.assign(exportSubscriptions, { execute: async () => failing() })
    const answer = await browser.get('/transfer/export?format=csv')
    expect([answer.status, answer.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
    expect(answer.headers['content-disposition']).toBeUndefined()
    expect(at.problems.splice(0)).toMatchObject([{ request_id: answer.headers['x-request-id'] }])
    Object.assign(exportSubscriptions, { execute: async () => failing('id,email\r\n') })
    await expect(browser.get('/transfer/export?format=csv')).rejects.toThrow('aborted')
    expect(at.problems.splice(0)).toMatchObject([{ request_id: expect.stringMatching(/^[\w-]{16,}$/) }])
  })

  it('changes a feed and a webhook, and shows a new secret once', async () => {
    const updated = hidden((await browser.get('/feeds/weekly/edit')).text, 'updated')
    const fields = {
      updated,
      title: 'Weekly',
      description: '',
      wording: 'Yes.',
      open: 'yes',
      sender: 'News <news@example.com>',
    }
    await browser.send('/feeds/weekly/edit', fields)
    const feed = await at.useCases.getFeed.execute({ name: 'weekly' }, OPS)
    expect(feed).toMatchObject({ title: 'Weekly', sender: { name: 'News', address: 'news@example.com' }, open: true })
    expect(feed.fields).toMatchObject([{ name: 'company' }])
    expect((await browser.post('/feeds/-/new', { name: 'No!', title: '' })).status).toBe(422)
    await browser.send('/feeds/-/new', { name: 'daily', title: '' })
    expect((await browser.send('/feeds/daily/delete')).text).toContain('The feed is deleted.')
    const made = await browser.post('/webhooks/-/new', {
      name: 'new',
      url: 'https://a.example/',
      'type[]': 'user.deleted',
    })
    expect(made.text).toMatch(/whsec_/)
    expect((await browser.get('/webhooks/new')).text).not.toMatch(/whsec_/)
    expect((await browser.post('/webhooks/new/rotate')).text).toMatch(/whsec_/)
    expect((await browser.send('/webhooks/new/redeliver')).text).toContain('Nothing was done, as it is gone already')
    expect((await browser.send('/webhooks/new/delete')).text).toContain('The webhook is deleted.')
  })

  it('takes no webhook without events, which would be one of all events', async () => {
    const types = async (name: string) => (await at.useCases.getWebhook.execute({ name }, OPS)).types
    const before = await types('shop')
    const updated = hidden((await browser.get('/webhooks/shop/edit')).text, 'updated')
    const url = 'https://typed.example/'
    for (const [path, more] of [
      ['/webhooks/-/new', { name: 'none' }],
      ['/webhooks/shop/edit', { updated }],
    ] as const) {
      const { status, text } = await browser.post(path, { ...more, url })
      expect([status, text.includes(`value="${url}"`), text.includes('checked')]).toEqual([422, true, false])
      expect(text).toMatch(
        /<fieldset aria-describedby="type-problem">.*<p class="problem" id="type-problem">.*<\/fieldset>/s,
      )
      expect(text).toMatch(/role="alert">Correct what is marked below/)
    }
    expect(await types('shop')).toEqual(before)
    await expect(types('none')).rejects.toThrow()
  })

  it('changes what forms of a feed ask for, and erases values only when that is asked for', async () => {
    const path = '/feeds/weekly/edit'
    const form = async (fields: string, more = {}) => {
      const { text } = await browser.get(path)
      return { updated: hidden(text, 'updated'), title: 'Weekly', open: 'yes', fields, ...more }
    }
    const stored = async () => (await at.useCases.getFeed.execute({ name: 'weekly' }, OPS)).fields
    const source = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }
    const [company, size] = [
      '{"name":"company","type":"text","label":{"en":"Company"},"required":false,"max":null,"choices":[],"public":false}',
      '{"name":"size","type":"number","label":{"en":"Size"}}',
    ]
    expect((await browser.get(path)).text).toContain(company.replaceAll('"', '&quot;'))
    await browser.send(path, await form(`${company}\n\n${size}\n`))
    expect((await stored()).map(({ name }) => name)).toEqual(['company', 'size'])
    const signUp = { email: 'new@example.com', name: '', feed: 'weekly', source, fields: { company: 'Acme' } }
    await at.useCases.subscribe.execute(signUp)
    const refused = await browser.post(path, await form(size))
    expect([refused.status, refused.text.includes('These fields have values: company.')]).toEqual([422, true])
    const broken = await browser.post(path, await form('{"name"'))
    expect([broken.status, broken.text.includes('Line 1 is not JSON.')]).toEqual([422, true])
    expect(await stored()).toHaveLength(2)
    await browser.send(path, await form(size, { erase_fields: 'yes' }))
    expect((await stored()).map(({ name }) => name)).toEqual(['size'])
  })

  it('shows each mail of a feed in each language, and a reminder only where one is sent', async () => {
    const { text } = await browser.get('/feeds/weekly')
    for (const lang of ['de', 'en'])
      for (const [query, mail] of Object.entries({
        '': 'confirmation',
        '&kind=reminder': 'reminder',
        '&kind=already-subscribed': 'already-subscribed',
      })) {
        const path = `/feeds/weekly/mail?lang=${lang}${query}`
        expect(text).toContain(`href="${path.replaceAll('&', '&amp;')}"`)
        expect((await browser.get(path)).text).toContain(`${mail}: The weekly letter (${lang})`)
      }
    expect((await browser.get('/feeds/default')).text).not.toContain('reminder')
    expect((await browser.get('/feeds/default/mail?lang=de&kind=reminder')).status).toBe(404)
    expect((await browser.get('/feeds/weekly/mail?lang=de&kind=move')).status).toBe(404)
  })

  it('shows what readers see as it is, without any right to do anything', async () => {
    for (const place of ['form.html', 'mail.html']) {
      const { status, headers, text } = await browser.get(`/feeds/weekly/${place}?lang=de`)
      expect([status, text.includes('Press the button.')]).toEqual([200, true])
      expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
      expect((await browser.get(`/feeds/weekly/${place}?lang=xx`)).status).toBe(404)
    }
  })

  it('lets what is shown as it is into frames of the console alone, and such frames into that one page', async () => {
    const { headers } = await browser.get('/feeds/weekly/form.html?lang=de')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    const [face, feed] = [await browser.get('/feeds/weekly/face'), await browser.get('/feeds/weekly')]
    expect(face.headers['content-security-policy']).toMatch(/frame-src 'self'; frame-ancestors 'none'/)
    expect(feed.headers['content-security-policy']).not.toContain('frame-src')
    expect([face, feed].map((one) => one.headers['x-frame-options'])).toEqual(['DENY', 'DENY'])
  })

  it('shows a feed’s face as it is typed and stores nothing, saves it by language, and takes it away', async () => {
    const faceIn = async () => (await at.useCases.getFeed.execute({ name: 'weekly' }, OPS)).face
    const path = '/feeds/weekly/face'
    const post = async (to: string, fields: Readonly<Record<string, string>>, logo?: File) => {
      const updated = hidden((await browser.get(path)).text, 'updated')
      return await browser.upload(to, { updated, lang: 'de', ...fields }, logo, 'logo')
    }
    const svg = new File(
      ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>'],
      'a.svg',
    )
    const typed = {
      accent: '#7A1F5C',
      word_sign_up_text: 'Jeden Freitag.',
      footer: 'Impressum',
      what: 'page confirmed',
    }
    const shown = await post(`${path}/preview`, typed, svg)
    expect([shown.status, shown.text]).toEqual([
      200,
      expect.stringContaining('confirmed,de,#7a1f5c,Jeden Freitag.,image/svg+xml Press'),
    ])
    const mail = await post(`${path}/preview`, { ...typed, what: 'mail welcome' })
    expect([mail.status, mail.text]).toEqual([200, expect.stringContaining('Press the button.')])
    expect((await post(`${path}/preview`, { accent: 'red' })).text).toContain('six hexadecimal digits')
    expect(await faceIn()).toEqual({})
    expect((await post(path, typed, svg)).headers.location).toBe(`${path}?lang=de&done=saved`)
    await post(path, { ...typed, lang: 'en', word_sign_up_text: 'Each Friday.', footer: '', welcome: 'yes' })
    expect(await faceIn()).toEqual({
      ...{ logo: 'image/svg+xml', accent: '#7a1f5c', footer: { de: 'Impressum' }, welcome: true },
      words: { de: { sign_up_text: 'Jeden Freitag.' }, en: { sign_up_text: 'Each Friday.' } },
    })
    const again = await browser.get(`${path}?lang=de`)
    expect(again.text).toContain('Jeden Freitag.')
    expect(again.text).not.toContain('Each Friday.')
    const wrong = await post(path, { accent: '#000' }, new File(['no picture'], 'x.png'))
    expect([wrong.status, (await faceIn()).accent]).toEqual([422, '#7a1f5c'])
    expect(wrong.text).toMatch(/id="logo"[^>]* aria-invalid="true">\n<p class="problem" id="logo-problem">/)
    const stale = await post(path, { ...typed, updated: '1' })
    expect(stale.status).toBe(412)
    await post(path, { no_logo: 'yes' })
    expect(await faceIn()).toEqual({ words: { en: { sign_up_text: 'Each Friday.' } } })
  })

  it('says in the form of a language variant only its own words, and has a preview of it', async () => {
    const words = { de: { greeting: 'Hallo,' } }
    await at.useCases.patchFeed.execute({ name: 'weekly', words, footer: { 'de-AT': 'Wien' } }, OPS)
    const path = '/feeds/weekly/face?lang=de-AT'
    const { text } = await browser.get(path)
    expect([text.includes('Hallo,'), text.includes('Wien')]).toEqual([false, true])
    const [, src = ''] = /<iframe[^>]* src="(.*?)"/.exec(text) ?? []
    expect(await browser.get(src)).toMatchObject({ status: 200, text: expect.stringContaining('sign-up,de-AT') })
    const fields = { updated: hidden(text, 'updated'), lang: 'de-AT', footer: 'Graz', word_greeting: '' }
    await browser.upload('/feeds/weekly/face', fields, undefined, 'logo')
    expect((await at.useCases.getFeed.execute({ name: 'weekly' }, OPS)).face).toEqual({
      words,
      footer: { 'de-AT': 'Graz' },
    })
  })

  it('sends the mail that is shown to an address, and says what is wrong with another', async () => {
    const path = '/feeds/weekly/mail'
    const fields = { lang: 'de', kind: 'reminder', to: 'me@example.com' }
    expect((await browser.send(path, fields)).text).toContain('The mail was sent.')
    expect(at.transport.mails.at(-1)).toMatchObject({ to: 'me@example.com', kind: 'reminder', locale: 'de' })
    const wrong = await browser.post(path, { ...fields, to: 'nobody' })
    expect([wrong.status, wrong.text.includes('id="to-problem"')]).toEqual([422, true])
  })

  /** What is said of a file, and the path of that. */
  const lookAt = async (file: string | undefined, fields: Readonly<Record<string, string>>, name = 'rows.csv') => {
    const rows = file === undefined ? undefined : new File([file], name)
    const { status, headers, text } = await browser.upload('/transfer/import', { format: 'csv', ...fields }, rows)
    const path = headers.location ?? ''
    return status === 303 ? { path, ...(await browser.get(path)) } : { path, status, text }
  }

  it.each(['constructor', '__proto__', 'other'])(
    'takes a file of %s, of which there is no kind, for one of subscriptions',
    async (what) => {
      expect(await lookAt('email\nnew@example.com\n', { what })).toMatchObject({ status: 200 })
    },
  )

  it('takes no addresses from a file whose name alone says that they left', async () => {
    const file = 'email,type\nleft@example.com,ended\n'
    const [what, name] = ['subscriptions', 'unsubscribed_export.csv']
    const looked = await lookAt(file, { what, ignore: 'type' }, name)
    expect(looked).toMatchObject({ status: 422, text: expect.stringContaining('speaks of leaving') })
    expect(await lookAt(file, { what, map: 'status:type' }, name)).toMatchObject({ status: 200 })
    expect(await lookAt('email,cause\nleft@example.com,blocked\n', { what: 'suppressions' }, name)).toMatchObject({
      status: 200,
    })
  })

  it('imports a file that was looked at first, once, and shows the refusals by their reasons', async () => {
    const file = 'id,email,roles\nimported,imported@example.com,auditor\nada,x,\nbob,yz,\n'
    const { path, text } = await lookAt(file, { what: 'users' })
    for (const part of ['This is what would happen. Nothing was changed.', 'Line 3', 'Line 4', 'bob,yz,'])
      expect(text).toContain(part)
    await expect(user('imported')).rejects.toThrow()
    expect((await (await at.loggedIn('root')).post(path, { deed: 'import' })).status).toBe(404)
    expect((await browser.send(path, { deed: 'import' })).text).toContain('The file is imported.')
    expect(await user('imported')).toMatchObject({ roles: ['auditor'] })
    await at.useCases.deleteUser.execute({ userId: 'imported' }, OPS)
    expect((await browser.send(path, { deed: 'import' })).text).toContain('The file is imported.')
    await expect(user('imported')).rejects.toThrow()
  })

  it('brings names up to date if that is asked for, and never a status', async () => {
    const person = async () => (await at.useCases.listSubscriptions.execute({ email: 'n@example.com' }, OPS)).items[0]
    const first = await lookAt('email,name\nn@example.com,Old\n', { what: 'subscriptions' })
    await browser.send(first.path, { deed: 'import' })
    const file = 'email,name,status\nn@example.com,New,\n'
    const looked = await lookAt(file, { what: 'subscriptions', update: 'name, fields' })
    expect(looked.text).toContain('There already, updated')
    await browser.send(looked.path, { deed: 'import' })
    expect(await person()).toMatchObject({ name: 'New', status: 'pending' })
    for (const wrong of [{ update: 'status' }, { what: 'users', update: 'name' }])
      expect(await lookAt('email,id\nx@example.com,x\n', { what: 'subscriptions', ...wrong })).toMatchObject({
        status: 422,
      })
  })

  it('imports nothing for who may not any more, nor looks at a file for who never might', async () => {
    const file = 'email\nlate@example.com\n'
    const ivy = { userId: 'ivy', email: 'ivy@example.com', name: '' }
    await at.useCases.putUser.execute({ ...ivy, roles: ['admin'] }, OPS)
    browser = await at.loggedIn('ivy')
    const { path } = await lookAt(file, { what: 'subscriptions' })
    await at.useCases.putUser.execute({ ...ivy, roles: ['auditor'] }, OPS)
    expect((await browser.get(path)).status).toBe(403)
    expect((await browser.post(path, { deed: 'import' })).status).toBe(403)
    const { items } = await at.useCases.listSubscriptions.execute({ email: 'late@example.com' }, OPS)
    expect(items).toEqual([])
    for (const what of ['subscriptions', 'users', 'suppressions'])
      expect(await lookAt(file, { what })).toMatchObject({ status: 403 })
  })

  it('imports nobody who left elsewhere, and what it is told of a file as it was looked at', async () => {
    const statusOf = async (email: string) =>
      (await at.useCases.listSubscriptions.execute({ email }, OPS)).items.map(({ status }) => status)
    const file = 'email,type,left_on,shoe\nleft@example.com,unsubscribed,2024-05-01,x\nstays@example.com,regular,,x\n'
    const usual = { what: 'subscriptions', mail: 'yes' }
    const stopped = await lookAt(file, usual)
    expect([stopped.status, stopped.text.includes('This column speaks of leaving')]).toEqual([422, true])
    const told = { map: 'status:type', status: 'regular:pending,unsubscribed:ended', ignore: 'left_on' }
    expect((await lookAt(file, { what: 'users', status: 'a:ended' })).status).toBe(422)
    const kept = hidden(stopped.text, 'kept')
    expect(stopped.text).toContain('rows.csv is kept.')
    const own = browser
    browser = await at.loggedIn('root')
    expect(await lookAt(undefined, { ...usual, ...told, kept })).toMatchObject({ status: 422 })
    browser = own
    const looked = await lookAt(undefined, { ...usual, ...told, kept })
    expect(looked.text).toContain('left_on, shoe')
    expect((await browser.send(looked.path, { deed: 'import' })).text).toContain('The file is imported.')
    expect([await statusOf('left@example.com'), await statusOf('stays@example.com')]).toEqual([['ended'], ['pending']])
  })

  it('imports suppressions of another service, once looked at', async () => {
    const blocked = async (email: string) =>
      (await at.useCases.checkSuppressions.execute({ addresses: [email] }, OPS)).blocked
    const file = 'email,cause\nx@example.com,complaint\ny@example.com,bounce\nz,bounce\n'
    const { path, text: looked } = await lookAt(file, { what: 'suppressions' })
    expect(looked.replaceAll(/<[^>]*>\s*/g, ' ')).toMatch(/imported\s+2\s.*Blocked.*\s1\s.*Undeliverable.*\s1\s/s)
    expect(await blocked('x@example.com')).toEqual([])
    expect((await browser.send(path, { deed: 'import' })).text).toContain('The file is imported.')
    expect(await blocked('x@example.com')).toEqual(['x@example.com'])
    const { text } = await browser.post('/suppressions/-/check', {
      addresses: 'x@example.com\r\nada@example.com\r\n y@example.com',
    })
    for (const part of ['x@example.com', 'complaint', 'y@example.com', 'undeliverable']) expect(text).toContain(part)
    expect(text).not.toContain('>ada@example.com<')
    expect((await browser.post('/suppressions/-/check', { addresses: '' })).status).toBe(422)
    const wrong = await browser.post('/suppressions/-/check', { addresses: 'ada@example.com\n<b>ada' })
    for (const part of [
      'These cannot be read as e-mail addresses',
      '<li>&lt;b&gt;ada</li>',
      'Mails may go to the others.',
    ])
      expect(wrong.text).toContain(part)
    const free = await browser.post('/suppressions/-/check', { addresses: 'ada@example.com' })
    expect(free.text).toContain('Mails may go to all of them.')
  })

  it('verifies the trail piece by piece, for who began it alone', async () => {
    const { headers, text: nothing } = await browser.post('/audit/verify')
    const path = headers.location ?? ''
    expect([nothing, path]).toEqual(['', expect.stringMatching(/^\/audit\/verify\/[0-9a-f]{16}$/)])
    const records = (await at.storage.readers.audit.list({ after: 0, limit: 1_000 })).items.length
    let { text } = await browser.get(path)
    expect(text).toContain(`<progress id="progress" value="${records}" max="${records}">`)
    let steps = 1
    for (; text.includes('data-goes-on') && steps < 10; steps++) ({ text } = await browser.send(path))
    expect([steps, text.includes('The trail is intact.')]).toEqual([4, true])
    // It is over, whatever is sent again.
    expect((await browser.send(path)).text).toContain('The trail is intact.')
    const auditor = await at.loggedIn('eve')
    expect((await auditor.get(path)).status).toBe(404)
    expect((await auditor.post(path)).status).toBe(404)
  })

  it('says at which record the trail is broken', async () => {
    const put = await at.storage.readers.users.find('eve' as UserId)
    if (put === undefined) throw new Error('There is no such user.')
    await at.storage.unitOfWork.run(({ users }) => users.put({ ...put, roles: ['admin'] }))
    let { text, headers } = await browser.post('/audit/verify')
    const path = headers.location ?? ''
    do ({ text } = await browser.send(path))
    while (text.includes('data-goes-on'))
    expect(text).toMatch(/role="alert">The trail is broken at record \d+ \(roles\)/)
  })
})

describe('the deletion of many users', () => {
  const begin = async (ids: string, more: Readonly<Record<string, string>> = {}) => {
    const { status, headers, text } = await browser.post('/deletions', { ids, ...more })
    return { status, path: headers.location ?? '', text }
  }

  it('is planned, confirmed by its number, done, reported and undone', async () => {
    const { path } = await begin('ada\r\n\r\ngone\r\nmissing\r\nada', { reason: 'left' })
    const planned = await browser.get(path)
    for (const part of ['There is no such user.', 'It is listed above.', 'type how many: 2'])
      expect(planned.text).toContain(part)
    expect((await browser.post(path, { begin: 'deleting', typed: '3' })).status).toBe(422)
    expect((await browser.send(path, { begin: 'deleting', typed: '2' })).text).toContain('done')
    await expect(user('ada')).rejects.toThrow()
    const report = await browser.get(`${path}/report.csv`)
    expect(report.text.split('\r\n').slice(1, 3)).toEqual(['1,ada,deleted,', '3,gone,deleted,'])
    expect((await browser.send(path, { begin: 'restoring' })).text).toContain('undone')
    expect(await user('ada')).toMatchObject({ id: 'ada' })
  })

  it('takes a CSV file with a column of ids', async () => {
    const { path } = await begin('name,id\n"A, the first",ada\nB,gone\n')
    expect((await browser.get(path)).text).toContain('type how many: 2')
  })

  it('says which column may say who is meant, and takes the list once that is ignored', async () => {
    const refused = await begin('id,toKeep\nada,yes\n')
    expect(refused).toMatchObject({
      status: 422,
      text: expect.stringContaining('may say which of these users are meant'),
    })
    expect(refused.text).toContain('Columns to ignore')
    const unread = await begin('id,toKeep\nada,yes\n', { ignore: 'notes,,' })
    expect(unread).toMatchObject({ status: 422, text: expect.stringContaining('Name columns as in') })
    const { path } = await begin('login,toKeep\nada,yes\n', { column: 'login', ignore: 'notes,tokeep' })
    expect((await browser.get(path)).text).toContain('type how many: 1')
  })

  it('says what is wrong with an empty list, and is not shown to another', async () => {
    expect((await begin(' \n ')).status).toBe(422)
    const { path } = await begin('ada')
    const other = await at.loggedIn('root')
    expect([(await other.get(path)).status, (await other.post(path)).status]).toEqual([404, 404])
  })
})

describe('a list', () => {
  it('has as many rows as make a page of 30 KiB at most, whatever is in them', async () => {
    const shop = 'shop' as WebhookName
    const head = '{"error":"<not found>"},'.repeat(9)
    const answers = Array.from({ length: 50 }, (_, n) => ({
      ...({
        webhook: shop,
        at: n,
        position: n + 1,
        type: 'subscription.undeliverable',
        subject: 'x'.repeat(40),
      } as const),
      ...{ attempt: 12, status: 503, error: 'The target answered 503, and no redirect is followed.', head },
    }))
    await at.storage.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.keepAnswers(shop, answers))
    const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
    for (let n = 0; n < 50; n++) {
      const email = `${'long.'.repeat(8)}${n}@${'a-long-name.'.repeat(3)}example.com`
      const name = 'Ada & Grace "Lovelace" <Hopper>'
      await at.useCases.subscribe.execute({ email, name, source })
      await at.useCases.putUser.execute(
        { userId: `user-${n}-${'y'.repeat(30)}`, email, name, roles: ['admin', 'sender'] },
        OPS,
      )
      await at.useCases.issueToken.execute(
        { subject: 'mailer', roles: ['sender'], lifetime: 60, label: 'z'.repeat(100) },
        OPS,
      )
      await at.loggedIn()
    }
    const sizes: Record<string, number> = {}
    for (const path of [
      '/',
      '/webhooks/shop',
      '/webhooks/shop?older',
      '/outbox',
      '/subscriptions',
      '/users',
      '/tokens',
      '/sessions',
      '/audit',
    ])
      sizes[path] = Buffer.byteLength((await browser.get(path)).text)
    sizes['/find'] = Buffer.byteLength((await browser.post('/find', { q: 'ada' })).text)
    expect(Object.entries(sizes).filter(([, size]) => size > 30 * 1024)).toEqual([])
  })

  it('is searched and narrowed at once, and keeps what was typed out of its address', async () => {
    const found = await browser.post('/users', { query: 'the ev', role: 'auditor', suspended: 'no' })
    expect([found.status, found.text.includes('>The eve<'), found.text.includes('>The root<')]).toEqual([
      200,
      true,
      false,
    ])
    expect(found.text).not.toMatch(/(?:href|action)="[^"]*the/)
    const { status, headers } = await browser.post('/users', { query: ' ', role: 'auditor', suspended: '' })
    expect([status, headers.location]).toEqual([303, '/users?role=auditor'])
    await at.useCases.suspendUser.execute({ userId: 'ada' }, OPS)
    expect((await browser.get('/users?suspended=maybe')).text).toContain('>The ada<')
    const suspended = await browser.get('/users?suspended=yes')
    expect([suspended.text.includes('>The ada<'), suspended.text.includes('>The eve<')]).toEqual([true, false])
    const comeBack = (await browser.get('/users/-/held')).text
    expect([comeBack.includes('href="/users/held"'), comeBack.includes('>The ada<')]).toEqual([true, false])
    const of = await browser.post('/subscriptions', { query: 'bob', feed: '', status: 'ended' })
    expect([of.text.includes('bob@<wbr>example.com'), of.text.includes('cyd@<wbr>example.com')]).toEqual([true, false])
    expect((await browser.get('/subscriptions')).text).toContain('4 in all')
    expect((await browser.post('/users', { query: 'a b c d e f g h i' })).status).toBe(422)
  })

  it('has the feed that it is narrowed to among the choices, however many there are', async () => {
    for (let n = 0; n < 201; n++) await at.useCases.putFeed.execute({ name: `f${n}` }, OPS)
    const { items } = await at.useCases.listFeeds.execute({ limit: 200 }, OPS)
    const feed = Array.from({ length: 201 }, (_, n) => `f${n}`).find((each) => !items.some(({ name }) => name === each))
    for (const path of ['/subscriptions', '/transfer'])
      expect((await browser.get(`${path}?feed=${feed}`)).text).toContain(`<option value="${feed}" selected>`)
  })

  it('links each row by what is seen of it, also of somebody whose name is not', async () => {
    const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
    for (const [n, name] of [' ', '\u3164\u200b', '\ufeff'].entries()) {
      const { id } = await at.useCases.subscribe.execute({ email: `x${n}@example.com`, name, source })
      expect(heading((await browser.get(`/subscriptions/${id}`)).text)).toBe(`x${n}@example.com`)
      await at.useCases.putUser.execute({ userId: `x${n}`, email: `x${n}@example.com`, name, roles: [] }, OPS)
      expect(heading((await browser.get(`/users/x${n}`)).text)).toBe(`x${n}`)
      expect((await browser.get('/subscriptions')).text).toMatch(
        new RegExp(`<a href="/subscriptions/${id}">x${n}@<wbr>example.com</a>`),
      )
      expect((await browser.get('/users')).text).toContain(`<a href="/users/x${n}">x${n}</a>`)
    }
  })

  it('goes on from page to page by what came last', async () => {
    for (let n = 0; n < 60; n++)
      await at.useCases.putUser.execute(
        { userId: `p${n}`, email: `p${n}@example.com`, name: '', roles: ['auditor'] },
        OPS,
      )
    const first = await browser.get('/users?role=auditor')
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(next).toContain('role=auditor')
    const rest = await browser.get(next)
    expect([first, rest].map(({ text }) => text.includes('>p59<'))).toEqual([true, false])
    const back = /href="([^"]*cursor=-[^"]*)"/.exec(rest.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await browser.get(back)).text).toContain('>p59<')
    expect((await browser.get('/users?cursor=x')).status).toBe(400)
  })

  it('of events that wait has those of one webhook alone, on every page', async () => {
    await at.useCases.putWebhook.execute({ name: 'other', url: 'https://other.example.com/' }, OPS)
    const { items } = await at.storage.readers.events.list({ after: 0, limit: 50 })
    await at.storage.unitOfWork.run(async ({ webhookDeliveries }) => {
      const first = items.slice(0, 1)
      for (const each of [...first, ...first]) await webhookDeliveries.add('other' as WebhookName, [each])
      for (let n = 0; n < 60; n++) {
        const [model] = first
        if (model) await webhookDeliveries.add('shop' as WebhookName, [{ ...model, position: 1_000 + n }])
      }
    })
    const rows = (text: string) => [...text.matchAll(/href="\/webhooks\/(\w+)">\1<\/a><\/td>/g)].map(([, name]) => name)
    expect((await browser.get('/webhooks/shop')).text).toContain('"/outbox/events?webhook=shop"')
    const { text } = await browser.get('/outbox/events?webhook=shop')
    const next = /href="([^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect([rows(text).length, new Set(rows(text))]).toEqual([25, new Set(['shop'])])
    expect(rows((await browser.get(next)).text)).toHaveLength(25)
    expect(rows((await browser.get('/outbox/events?webhook=other')).text)).toEqual(['other'])
    expect((await browser.get('/outbox/events?webhook=No!')).status).toBe(422)
  })

  it('of the trail begins with the newest, and finds what is asked for', async () => {
    const all = await browser.get('/audit')
    const sequences = [...all.text.matchAll(/<tr><td data-l="No.">(\d+)<\/td>/g)].map(([, number]) => Number(number))
    expect(sequences).toEqual(sequences.toSorted((a, b) => b - a))
    const [, second = 0] = sequences
    const before = await browser.get(`/audit?before=${second}`)
    expect(/data-l="No.">(\d+)</.exec(before.text)?.[1]).toBe(String(second - 1))
    const some = await browser.get('/audit?action=user.put&target=eve')
    expect([...some.text.matchAll(/<tr><td data-l="No.">\d+<\/td>/g)]).toHaveLength(1)
  })
})
