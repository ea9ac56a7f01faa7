import { beforeAll, describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'

const HTML = { Accept: 'text/html' }
const FIELDS = [
  { name: 'company', type: 'text', label: { en: 'Company', de: 'Firma' }, required: true, max: 20 },
  { name: 'topic', type: 'choice', label: { en: 'Topic <1>' }, choices: ['Music', 'Theatre & more'], public: true },
  { name: 'expert', type: 'boolean', label: { en: 'Expert' }, public: true },
  { name: 'born', type: 'date', label: { en: 'Born' } },
  { name: 'size', type: 'number', label: { en: 'Size' }, max: 100 },
]
const DEFAULTS = { required: false, max: null, choices: [], public: false }

const server = await sharedServer()
const token = await server.token('root', 'admin')

describe('the fields of a feed', () => {
  beforeAll(async () => {
    await ask('PUT', '/feeds/news', { title: 'News', fields: FIELDS })
  })

  const ask = (method: string, path: string, json?: object) => server.ask(method, path, { token, json })
  let count = 0
  const signUp = async (fields: object, kind: 'json' | 'form' = 'json') => {
    const email = `ada${++count}@example.com`
    return { ...(await server.ask('POST', '/subscribe', { [kind]: { email, feed: 'news', ...fields } })), email }
  }
  const stored = async (id: number) => (await ask('GET', `/subscriptions/${id}`)).value
  /** The path of the link to the preferences of an address. */
  const preferencesOf = async (email: string) => {
    await server.useCases.deliverOutbox.execute({ limit: 100 })
    server.clock.advance(601_000)
    await server.request('POST', '/preferences', { json: { email } })
    await server.useCases.deliverOutbox.execute({ limit: 100 })
    return new URL(server.transport.mails.at(-1)?.links.preferences ?? '').pathname
  }

  it('are declared and shown with what they are by default', async () => {
    const { value } = await ask('GET', '/feeds/news')
    expect(value.fields).toEqual(FIELDS.map((field) => ({ ...DEFAULTS, ...field })))
    await ask('PUT', '/feeds/copy', { fields: value.fields })
    expect((await ask('GET', '/feeds/copy')).value.fields).toEqual(value.fields)
    await ask('PUT', '/feeds/copy', { title: 'Copy' })
    expect((await ask('GET', '/feeds/copy')).value.fields).toEqual(value.fields)
    const form = { title: 'Copy', fields: JSON.stringify(FIELDS.slice(1, 2)) }
    await server.request('PUT', '/feeds/copy', { token, form })
    expect((await ask('GET', '/feeds/copy')).value.fields).toEqual([{ ...DEFAULTS, ...FIELDS[1] }])
    const patched = await ask('PATCH', '/feeds/copy', { fields: null })
    expect([patched.status, patched.value.fields]).toEqual([200, []])
    for (const fields of ['x', {}, [{ name: 'X' }]])
      expect((await ask('PUT', '/feeds/copy', { fields })).value.details[0].field).toBe('fields')
  })

  it('may be called as what every object inherits, and have no value before one is given', async () => {
    const named = { name: 'constructor', type: 'text', label: { en: 'Builder' }, public: true }
    expect((await ask('PUT', '/feeds/built', { title: 'Built', fields: [named] })).status).toBe(201)
    const email = 'builder@example.com'
    const form = { email, feed: 'built', name: '' }
    const wrong = await server.request('POST', '/subscribe', { form: { ...form, email: 'x' }, headers: HTML })
    expect(wrong).toMatchObject({ status: 422, body: expect.stringContaining('Builder') })
    expect(wrong.body).not.toContain('native code')
    const { subscription } = JSON.parse((await server.request('POST', '/subscribe', { form })).body)
    expect(await stored(subscription.id)).not.toHaveProperty('fields')
    const path = await preferencesOf(email)
    const page = await server.request('GET', path, { headers: HTML })
    expect([page.status, page.body.includes('Builder'), page.body.includes('native code')]).toEqual([200, true, false])
  })

  it('are sent as field_<name>, in a form as in JSON, and are part of the record of a subscription', async () => {
    const given = {
      field_company: 'ACME',
      field_expert: 'on',
      field_born: '2000-02-29',
      field_size: '2.5',
      field_x: 'y',
    }
    const form = await signUp(given, 'form')
    expect(form.status).toBe(200)
    expect(Object.keys(form.value.subscription)).toEqual(['name', 'email', 'id', 'feed'])
    const fields = { company: 'ACME', expert: true, born: '2000-02-29', size: 2.5 }
    const record = await stored(form.value.subscription.id)
    expect(record.fields).toEqual(fields)
    const json = await signUp({ ...given, field_expert: true, field_size: 2.5, field_topic: null })
    expect((await stored(json.value.subscription.id)).fields).toEqual(fields)
    const plain = await server.ask('POST', '/subscribe', { json: { email: 'plain@example.com', field_company: 'A' } })
    expect(await stored(plain.value.subscription.id)).not.toHaveProperty('fields')
  })

  it('are refused by name where a value is not what it must be, or is missing', async () => {
    const fields = ['company', 'topic', 'expert', 'size'].map((name) => ({ field: `field_${name}` }))
    const wrong = await signUp({ field_topic: 'Sports', field_size: 101, field_expert: ['on'] })
    expect(wrong).toMatchObject({ status: 422, value: { details: fields } })
    const twice = 'email=a%40example.com&feed=news&field_company=a&field_company=b'
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const again = await server.request('POST', '/subscribe', { body: twice, headers })
    expect([again.status, JSON.parse(again.body).details[0].field]).toEqual([422, 'field_company'])
    // What no feed declares is ignored, however often it comes.
    const unknown = 'email=b%40example.com&feed=news&field_company=a&field_terms=false&field_terms=true'
    expect((await server.request('POST', '/subscribe', { body: unknown, headers })).status).toBe(200)
  })

  it('are inputs of the sign-up page, with labels in its language, and keep what was typed', async () => {
    const page = await server.request('GET', '/subscribe?feed=news', { headers: { ...HTML, 'Accept-Language': 'de' } })
    for (const part of [
      '<label for="field_company"><bdi>Firma</bdi> <span class="required">(Pflichtfeld)</span></label>',
      '<input type="text" maxlength="20" id="field_company" name="field_company" required value="">',
      '<label for="field_topic"><bdi>Topic &lt;1&gt;</bdi></label>',
      '<option value="Theatre &amp; more">Theatre &amp; more</option>',
      '<input type="checkbox" id="field_expert" name="field_expert" value="true">',
      '<input type="date" id="field_born" name="field_born" value="">',
      '<input type="number" step="any" id="field_size" name="field_size" max="100" value="">',
    ])
      expect(page.body).toContain(part)
    const typed = { field_topic: 'Theatre & more', field_expert: 'true', field_born: 'x' }
    const form = { email: 'a@example.com', feed: 'news', ...typed }
    const again = await server.request('POST', '/subscribe', { form, headers: HTML })
    expect(again.status).toBe(422)
    for (const part of [
      '<option value="Theatre &amp; more" selected>Theatre &amp; more</option>',
      'value="true" checked>',
      '<p class="problem" id="field_born-problem">Enter a date such as 2026-07-02.</p>',
      '<p class="problem" id="field_company-problem">Fill in this field.</p>',
      'aria-invalid="true" aria-describedby="field_company-problem"',
    ])
      expect(again.body).toContain(part)
    expect(again.body.match(/autofocus/g)).toHaveLength(1)
  })

  it('are neither in the first mail nor on the page that confirms', async () => {
    const { email } = await signUp({ field_company: 'Secret Ltd', field_topic: 'Music' })
    const { confirm } = await server.links()
    const page = await server.request('GET', confirm, { headers: HTML })
    expect(page.body).not.toMatch(/Secret|Music/)
    expect(JSON.stringify(server.transport.mails.find(({ to }) => to === email))).not.toContain('Secret')
  })

  it('are in exports and come back with imports, each in a column of its own', async () => {
    await signUp({ field_company: '=1+1', field_size: -3 })
    const csv = (await server.request('GET', '/subscriptions/export?feed=news&format=csv', { token })).body
    const [head = '', ...rows] = csv.trim().split('\r\n')
    expect(head.split(',').slice(-5)).toEqual(FIELDS.map(({ name }) => `field_${name}`))
    expect(rows.at(-1)).toMatch(/,'=1\+1,,,,-3$/)
    const lines = (await server.request('GET', '/subscriptions/export?feed=news', { token })).body.trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '').fields).toEqual({ company: '=1+1', size: -3 })
    await ask('PUT', '/feeds/second', { fields: FIELDS })
    const rowsIn = [
      'email,feed,field_company,field_size,field_expert',
      'one@example.com,second,ACME,7,true',
      'two@example.com,second,,many,',
      'three@example.com,copy,ignored,,',
    ]
    const sent = { token, headers: { 'Content-Type': 'text/csv' }, body: rowsIn.join('\n') }
    const report = (await server.request('POST', '/subscriptions/import', sent)).body.trim().split('\n')
    expect(report.map((line) => JSON.parse(line))).toMatchObject([
      { line: 3, error: 'InvalidInput', details: [{ field: 'field_size' }] },
      { rows: 3, imported: 2, refused: 1 },
    ])
    const { items } = (await ask('GET', '/subscriptions?feed=second')).value
    expect(items.map(({ fields }: { fields: object }) => fields)).toEqual([{ company: 'ACME', size: 7, expert: true }])
    const ndjson = `${JSON.stringify({ email: 'four@example.com', feed: 'second', fields: { company: 'Back' } })}\n`
    const headers = { 'Content-Type': 'application/x-ndjson' }
    await server.request('POST', '/subscriptions/import', { token, headers, body: ndjson })
    const found = (await ask('GET', '/subscriptions?feed=second')).value.items
    expect(found.at(-1).fields).toEqual({ company: 'Back' })
  })

  it('that are public are shown and changed by the owner of the address, and a change is an event', async () => {
    const { value, email } = await signUp({ field_company: 'ACME', field_topic: 'Music', field_expert: true })
    const { id } = value.subscription
    await server.request('POST', (await server.links()).confirm)
    const link = await preferencesOf(email)
    const shown = JSON.parse((await server.request('GET', link)).body).subscriptions[0]
    expect(shown.fields).toEqual({ topic: 'Music', expert: true })
    const page = await server.request('GET', link, { headers: HTML })
    expect(page.body).toContain('<label for="news-field_topic"><bdi>Topic &lt;1&gt;</bdi></label>')
    expect(page.body).toContain('<option value="Music" selected>Music</option>')
    expect(page.body).not.toContain('field_company')
    const change = (json: object) => server.request('POST', link, { json: { action: 'update', feed: 'news', ...json } })
    expect((await change({ field_topic: 'Theatre & more', field_company: 'Other' })).status).toBe(200)
    expect((await stored(id)).fields).toEqual({ company: 'ACME', topic: 'Theatre & more', expert: true })
    expect((await change({ field_topic: 'Sports' })).status).toBe(422)
    const wrong = { action: 'update', feed: 'news', shown_fields: 'topic expert', field_topic: 'Sports' }
    const again = await server.request('POST', link, { form: wrong, headers: HTML })
    expect(again.status).toBe(422)
    expect(again.body).toContain('<a href="#news-field_topic" dir="auto">Topic &lt;1&gt;</a>: Choose one of the list.')
    expect(again.body).toContain('aria-invalid="true" aria-describedby="news-field_topic-problem"')
    expect(again.body).not.toContain('Nothing has been changed')
    const form = { action: 'update', feed: 'news', shown_fields: 'topic expert', field_topic: '' }
    const saved = await server.request('POST', link, { form, headers: HTML })
    expect(saved.body).toContain('Your details for <bdi>News</bdi> are saved.')
    expect((await stored(id)).fields).toEqual({ company: 'ACME' })
    await change({})
    const { items } = (await ask('GET', '/events?limit=200')).value
    const updates = items.filter((one: { type: string; subject: string }) => one.type === 'subscription.updated')
    expect(updates.map(({ subject }: { subject: string }) => subject)).toEqual([`${id}`, `${id}`])
    expect(updates[1].data.fields).toEqual({ company: 'ACME' })
    const kept = JSON.parse((await server.request('GET', `${link}/export`)).body)
    expect(kept.subscriptions[0].fields).toEqual({ company: 'ACME' })
  })

  it('that has other choices by now keeps what its owner chose, until the owner chooses again', async () => {
    const city = (...choices: readonly string[]) => ({
      fields: [
        { name: 'city', type: 'choice', label: { en: 'City' }, choices, public: true },
        { name: 'firm', type: 'text', label: { en: 'Firm' }, public: true },
      ],
    })
    await server.request('PUT', '/feeds/cities', { token, json: city('Berlin  (Mitte)', 'Hamburg') })
    const form = { email: 'city@example.com', feed: 'cities', field_city: 'Berlin  (Mitte)', field_firm: 'A' }
    const { id } = JSON.parse((await server.request('POST', '/subscribe', { form })).body).subscription
    await server.request('POST', `/subscriptions/${id}/confirm`, { token, json: { reason: 'said so' } })
    await server.request('PUT', '/feeds/cities', { token, json: city('Berlin', 'Hamburg') })
    const link = await preferencesOf(form.email)
    const page = await server.request('GET', link, { headers: HTML })
    expect(page.body).toContain('<option value="Berlin  (Mitte)" selected>')
    const fields = { field_city: 'Berlin  (Mitte)', field_firm: 'B' }
    const sent = { action: 'update', feed: 'cities', shown_fields: 'city firm', ...fields }
    expect((await server.request('POST', link, { form: sent, headers: HTML })).status).toBe(200)
    expect((await stored(id)).fields).toEqual({ city: 'Berlin  (Mitte)', firm: 'B' })
    // A slip elsewhere in the form changes nothing of that.
    const slip = { ...sent, field_firm: 'x'.repeat(201) }
    const again = await server.request('POST', link, { form: slip, headers: HTML })
    expect([again.status, again.body]).toEqual([422, expect.stringContaining('"Berlin  (Mitte)" selected>')])
    expect((await server.request('POST', link, { form: { ...sent, field_city: 'Berlin X' } })).status).toBe(422)
  })

  it('that have values go only with them', async () => {
    const declare = (fields: readonly object[], query = '') =>
      ask('PUT', `/feeds/news${query}`, { title: 'News', fields })
    const rest = FIELDS.slice(1)
    const refused = await declare(rest)
    expect([refused.status, refused.value.error]).toEqual([409, 'FieldInUse'])
    expect(refused.value.message).toMatch(/or declare the fields, too\. The query 'fields=erase' has them erased\.$/)
    expect((await declare(rest, '?fields=remove')).status).toBe(422)
    expect((await declare(rest, '?fields=erase')).status).toBe(204)
    expect((await ask('GET', '/subscriptions?feed=news&limit=200')).body).not.toContain('company')
  })
})
