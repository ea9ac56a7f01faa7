import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@rollcall/client'

const { SERVER, TOKEN, FEED = 'weekly' } = process.env
const { LISTMONK_URL, LISTMONK_USER, LISTMONK_TOKEN, LISTMONK_LIST } = process.env
const rollcall = createClient({ url: SERVER, token: TOKEN })
const list = Number(LISTMONK_LIST)

const call = async (method, path, body) => {
  const type = body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }
  const headers = { authorization: `token ${LISTMONK_USER}:${LISTMONK_TOKEN}`, ...type }
  const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
  const answer = await fetch(new URL(path, LISTMONK_URL), { method, headers, body: sent })
  if (!answer.ok) throw new Error(`listmonk answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()).data
}

const members = async (status) =>
  (await call('GET', `/api/subscribers?list_id=${list}&per_page=all${status && `&subscription_status=${status}`}`)).results

const takeOut = async (subscribers) => {
  const ids = subscribers.map(({ id }) => id)
  if (ids.length > 0) await call('PUT', '/api/subscribers/lists', { ids, action: 'remove', target_list_ids: [list] })
}

// 1. Who unsubscribed in listmonk unsubscribes in Rollcall, as a mail client does in one click (RFC 8058).
const unsubscribed = await members('unsubscribed')
for (const { attribs } of unsubscribed.filter(({ attribs }) => attribs.unsubscribe_url)) {
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const answer = await fetch(attribs.unsubscribe_url, { method: 'POST', body })
  const { error, message } = await answer.json()
  // The subscription may have been erased.
  if (!answer.ok && error !== 'LinkNotValid') throw new Error(`Rollcall answered ${answer.status}: ${message}`)
}
await takeOut(unsubscribed)

// 2. Every recipient is in the list. Those who unsubscribed since step 1 stay so.
const quoted = (text) => `"${text.replaceAll('"', '""')}"`
const recipients = new Set()
let csv = 'email,name,attributes\n'
for await (const line of rollcall.listRecipients({ name: FEED })) {
  if (!('email' in line)) continue
  const { email, name, locale, fields, unsubscribe_url, manage_url } = line
  recipients.add(email.toLowerCase())
  const attributes = JSON.stringify({ ...fields, locale, unsubscribe_url, manage_url })
  csv += `${[email, name, attributes].map(quoted).join(',')}\n`
}
if (recipients.size > 0) {
  const overwrite = { overwrite_userinfo: true, overwrite_subscription_status: false }
  const params = { mode: 'subscribe', subscription_status: 'confirmed', delim: ',', lists: [list], ...overwrite }
  const form = new FormData()
  form.set('params', JSON.stringify(params))
  form.set('file', new File([csv], 'recipients.csv', { type: 'text/csv' }))
  await call('POST', '/api/import/subscribers', form)
  let status = 'importing'
  while (status === 'importing') {
    await pause(200)
    status = (await call('GET', '/api/import/subscribers')).status
  }
  if (status !== 'finished') throw new Error(`The import into listmonk ended with '${status}'.`)
}

// 3. Everybody else goes out of it.
const others = (await members('')).filter(({ email }) => !recipients.has(email.toLowerCase()))
await takeOut(others)
console.log(`${recipients.size} recipients, ${unsubscribed.length} unsubscribed, ${others.length} removed`)
