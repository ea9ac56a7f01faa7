import { eventually } from './eventually.ts'
import type { MailSink } from './mail-sink.ts'
import type { Home } from './running-service.ts'

/** What a service of any release is asked, and its answers. */
export const HOUR: readonly string[] = [
  ...['POST /subscribe 200', 'POST /confirm/{token} 200', 'POST /subscribe 200'],
  ...['POST /subscribe 200', 'POST /confirm/{token} 200', 'POST /unsubscribe/{token} 200'],
  ...['POST /subscribe 200', 'POST /refuse/{token} 200', 'POST /subscribe 200', 'POST /preferences 200'],
  ...['PUT /users/kept 201', 'PUT /users/kept 204', 'GET /users/kept 200', 'GET /users/kept/export 200'],
  ...['PUT /users/gone 201', 'GET /users 200', 'DELETE /users/gone 204', 'GET /users 401'],
  ...['GET /users/gone 410', 'GET /users/gone/erasure 200', 'PUT /users/gone 410'],
  ...['PUT /feeds/news 201', 'PUT /feeds/news 204', 'GET /feeds/news 200', 'DELETE /feeds/news 204'],
  ...['PUT /webhooks/shop 201', 'DELETE /webhooks/shop 204', 'POST /subscriptions/import 200'],
  ...['GET /users 200', 'GET /subscriptions 200', 'GET /subscriptions/export 200', 'GET /suppressions 200'],
  ...['GET /events 200', 'GET /feeds 200', 'GET /webhooks 200', 'GET /audit 200', 'GET /users 403', 'GET /readyz 200'],
]

interface Tokens {
  readonly admin: string
  /** Of the user `gone-` and the round, which is deleted; and of one without roles. */
  readonly gone: string
  readonly nobody: string
}

/** Sign-ups, users, feeds and lists. What it makes is named after the round, so that it can be asked again. */
export const askForAnHour = async (
  home: Home,
  sink: MailSink,
  { admin, gone, nobody }: Tokens,
  round: string,
): Promise<readonly string[]> => {
  const answers: string[] = []
  const ask = async (method: string, place: string, { token, body, label = place }: Asking = {}): Promise<void> => {
    const answer = await fetch(`${home.url}${place}`, requestOf(method, token, body))
    await answer.arrayBuffer()
    answers.push(`${method} ${label.replace(`-${round}`, '')} ${answer.status}`)
  }
  const asAdmin = (method: string, place: string, body?: object | string) => ask(method, place, { token: admin, body })
  const address = (name: string) => `${name}-${round}@example.com`
  const signUp = (name: string) => ask('POST', '/subscribe', { body: new URLSearchParams({ email: address(name) }) })
  const follow = async (name: string, purpose: Purpose) => {
    // Without an answer there is no mail to wait for.
    if (!answers.at(-1)?.endsWith(' 200')) return
    const token = await linkOf(sink, address(name), purpose)
    await ask('POST', `/${purpose}/${token}`, { label: `/${purpose}/{token}` })
  }

  await signUp('confirmed')
  await follow('confirmed', 'confirm')
  await signUp('pending')
  await signUp('ended')
  await follow('ended', 'confirm')
  await follow('ended', 'unsubscribe')
  await signUp('refused')
  await follow('refused', 'refuse')
  await signUp('refused')
  await ask('POST', '/preferences', { body: new URLSearchParams({ email: address('confirmed') }) })

  const user = (name: string, ...roles: string[]) => ({ email: address(name), name: 'Some One', roles })
  await asAdmin('PUT', `/users/kept-${round}`, user('kept', 'auditor'))
  await asAdmin('PUT', `/users/kept-${round}`, user('kept', 'admin', 'auditor'))
  await asAdmin('GET', `/users/kept-${round}`)
  await asAdmin('GET', `/users/kept-${round}/export`)
  await asAdmin('PUT', `/users/gone-${round}`, user('gone', 'auditor'))
  await ask('GET', '/users', { token: gone })
  await asAdmin('DELETE', `/users/gone-${round}`)
  await ask('GET', '/users', { token: gone })
  await asAdmin('GET', `/users/gone-${round}`)
  await asAdmin('GET', `/users/gone-${round}/erasure`)
  await asAdmin('PUT', `/users/gone-${round}`, user('gone'))

  for (const title of ['News', 'The news']) await asAdmin('PUT', `/feeds/news-${round}`, { title })
  await asAdmin('GET', `/feeds/news-${round}`)
  await asAdmin('DELETE', `/feeds/news-${round}`)
  await asAdmin('PUT', `/webhooks/shop-${round}`, { url: 'https://shop.example/hook' })
  await asAdmin('DELETE', `/webhooks/shop-${round}`)
  await asAdmin('POST', '/subscriptions/import', `${JSON.stringify({ email: address('imported') })}\n`)
  for (const list of ['users', 'subscriptions', 'subscriptions/export', 'suppressions', 'events', 'feeds', 'webhooks'])
    await asAdmin('GET', `/${list}`)
  await asAdmin('GET', '/audit')
  await ask('GET', '/users', { token: nobody })
  await ask('GET', '/readyz')
  return answers
}

interface Asking {
  readonly token?: string
  /** A text is NDJSON. */
  readonly body?: object | string | undefined
  readonly label?: string
}

const requestOf = (method: string, token: string | undefined, body: object | string | undefined): RequestInit => {
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  if (body === undefined || body instanceof URLSearchParams)
    return { method, headers: authorization, ...(body && { body }) }
  const [type, text] =
    typeof body === 'string' ? ['application/x-ndjson', body] : ['application/json', JSON.stringify(body)]
  return { method, headers: { ...authorization, 'Content-Type': type }, body: text }
}

type Purpose = 'confirm' | 'refuse' | 'unsubscribe'

/** The token in the link of the mail to an address, once that has come. */
export const linkOf = async (sink: MailSink, email: string, purpose: Purpose): Promise<string> => {
  const find = () => sink.mails.find(({ to }) => to === email)
  await eventually(() => find() !== undefined, `that a mail comes to ${email}`)
  const text = find()?.text.replace(/=\r\n/g, '') ?? ''
  const [, token] = new RegExp(`/${purpose}/([\\w.-]+)`).exec(text) ?? []
  if (token === undefined) throw new Error(`the mail to ${email} has no link to ${purpose}`)
  return token
}
