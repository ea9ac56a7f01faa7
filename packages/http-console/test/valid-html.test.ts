import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FilledConsole, filledConsole } from './support/filled-console.ts'
import { htmlProblems } from './support/html-problems.ts'
import type { Answered, TestBrowser } from './support/open-console.ts'

let at: FilledConsole
let browser: TestBrowser
beforeAll(async () => {
  const importFrom = () => Promise.reject(new Error('No file of it is sent here.'))
  at = await filledConsole({ foreign: { services: { other: 'Another service' }, importFrom } })
  browser = await at.loggedIn()
})
afterAll(async () => await at.close())

it('finds what is wrong', async () => {
  expect(
    await htmlProblems(
      '<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><p><div></div></p></body></html>',
    ),
  ).not.toEqual([])
})

it('is valid HTML on every screen', async () => {
  const found: Record<string, unknown> = {}
  for (const path of Object.keys(at.screens)) {
    const wrong = await htmlProblems((await browser.get(path)).text)
    if (wrong.length > 0) found[path] = wrong
  }
  expect(found).toEqual({})
})

it('is valid HTML where a form is refused, and before and after a login', async () => {
  const csv = 'email,feed\nada@example.com,default\nnot an address,default\n'
  const upload = async (told: Readonly<Record<string, string>> = {}): Promise<Answered> => {
    const fields = { what: 'subscriptions', format: 'csv', ...told }
    const answer = await browser.upload('/transfer/import', fields, new File([csv], 'rows.csv'))
    return answer.status === 303 ? await browser.get(answer.headers.location ?? '') : answer
  }
  const [, updated = ''] = /name="updated" value="(.*?)"/.exec((await browser.get('/feeds/weekly/face')).text) ?? []
  const brokenLogo = browser.upload('/feeds/weekly/face', { updated, lang: 'de' }, new File(['x'], 'x.png'), 'logo')
  const webhook = { name: 'new', url: 'https://a.example/', 'type[]': 'user.deleted' }
  const states: Record<string, readonly [wanted: number, Promise<Answered>]> = {
    'a login page': [200, at.browser().get('/login?out')],
    'a login link': [200, at.browser().get(`/login/${await at.link()}`)],
    'a used login link': [401, at.browser().post('/login', { link: '0'.repeat(64) })],
    'a form of another site': [403, browser.post('/logout', {}, { 'Sec-Fetch-Site': 'cross-site' })],
    'another host': [421, browser.get('/', { Host: 'evil.example' })],
    'nothing to find': [404, browser.post('/find', { q: 'nothing-of-this-name' })],
    'a broken query': [422, browser.post('/find', { q: 'a b c d e f g h i' })],
    'a broken user': [422, browser.post('/users/-/new', { id: 'x y', email: 'none', name: '' })],
    'a broken feed': [422, browser.post('/feeds/-/new', { name: 'A B', title: '', language: '?', sender: '<' })],
    'broken fields of a feed': [422, browser.post('/feeds/-/new', { name: 'new', title: '', fields: '{' })],
    'a broken webhook': [422, browser.post('/webhooks/-/new', { ...webhook, name: 'A B', url: 'none' })],
    'a webhook without events': [422, browser.post('/webhooks/-/new', { name: 'new', url: webhook.url })],
    'a new secret': [200, browser.post('/webhooks/-/new', webhook)],
    'a check of addresses': [200, browser.post('/suppressions/-/check', { addresses: 'bob@example.com' })],
    'a check of what is no address': [200, browser.post('/suppressions/-/check', { addresses: 'bob' })],
    'a check of nothing': [422, browser.post('/suppressions/-/check')],
    'an empty list to delete': [422, browser.post('/deletions', { ids: ' ' })],
    'a user who changed meanwhile': [412, browser.post('/users/ada/delete')],
    'no file': [422, browser.post('/transfer/import')],
    'a rehearsal': [200, upload()],
    'an import of a wrong map': [422, upload({ map: 'x' })],
    'an import that is gone': [404, browser.get('/transfer/imports/none')],
    'a list that was searched': [200, browser.post('/users', { query: 'the' })],
    'all that were found': [200, browser.post('/find', { q: 'example.com' })],
    'a tried webhook': [200, browser.send('/webhooks/shop/test')],
    'a broken logo': [422, brokenLogo],
    'a broken token': [422, browser.post('/tokens/-/new', { subject: '', ttl: '3600' })],
    'a new token': [200, browser.post('/tokens/-/new', { subject: 'x', 'role[]': 'sender', ttl: '3600' })],
    'a page for another role': [403, (await at.loggedIn('eve')).get('/deletions')],
  }
  const found: Record<string, unknown> = {}
  for (const [name, [wanted, answer]] of Object.entries(states)) {
    const { status, text } = await answer
    const wrong = await htmlProblems(text)
    if (wrong.length > 0 || status !== wanted) found[name] = [status, ...wrong]
  }
  expect(found).toEqual({})
})
