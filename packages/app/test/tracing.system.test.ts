import { DatabaseSync } from 'node:sqlite'
import { SpanKind } from '@opentelemetry/api'
import { AlwaysOffSampler, AlwaysOnSampler } from '@opentelemetry/sdk-trace-node'
import { openApiDocument } from '@rollcall/http-koa'
import { describe, expect, it } from 'vitest'
import { administered } from './administered.ts'
import { EventReceiver } from './event-receiver.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { CookieJar } from './login-provider.ts'
import { MailSink } from './mail-sink.ts'
import { Home } from './running-service.ts'
import { Traces, untraced } from './traces.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

const signUp = (home: Home, email: string, traceparent?: string): Promise<Response> =>
  fetch(`${home.url}/subscribe`, {
    method: 'POST',
    body: new URLSearchParams({ email, name: 'Ada Lovelace' }),
    headers: traceparent === undefined ? {} : { traceparent },
  })

/** What mails in the outbox have of their traces; the relay takes none. */
const carried = async (traces: Sampled, traceparent?: string): Promise<unknown[]> => {
  await using home = await Home.make({ SMTP_URL: 'smtp://127.0.0.1:9' })
  using _ = traces()
  await home.serveInProcess()
  await signUp(home, 'ada@example.com', traceparent)
  const database = new DatabaseSync(`${home.folder}/data/rollcall.db`, { readOnly: true })
  const find = () => database.prepare('SELECT trace_context FROM outbox').all()
  try {
    await eventually(() => find().length > 0, 'that the mail is queued')
    return find().map((row) => row.trace_context)
  } finally {
    database.close()
  }
}

type Sampled = () => Disposable
const ALL: Sampled = () => new Traces(new AlwaysOnSampler())
const NONE: Sampled = () => new Traces(new AlwaysOffSampler())
const NO_SDK: Sampled = untraced

describe('a trace', () => {
  it('goes from the sign-up through its transaction to the mail, and begins where the caller began it', async () => {
    await using sink = await MailSink.open()
    await using home = await Home.make({ SMTP_URL: sink.url })
    using traces = new Traces(new AlwaysOnSampler())
    await home.serveInProcess()
    await signUp(home, 'ada@example.com', `00-${TRACE}-${CALLER}-01`)
    await eventually(() => traces.named('mail confirmation').length > 0, 'that there is a span of the mail')
    const spans = traces.spans.filter((span) => span.spanContext().traceId === TRACE)
    const request = 'POST /subscribe'
    expect(spans.map((span) => traces.pathOf(span)).sort()).toEqual([
      request,
      `${request} > SubscribeUseCase`,
      `${request} > SubscribeUseCase > transaction`,
      `${request} > SubscribeUseCase > transaction > mail confirmation`,
    ])
    expect(traces.named(request).map((span) => span.parentSpanContext?.spanId)).toEqual([CALLER])
    expect(traces.named(request).map(({ attributes }) => attributes)).toEqual([
      { 'http.request.method': 'POST', 'http.route': '/subscribe', 'http.response.status_code': 200 },
    ])
    expect(spans.find(({ name }) => name === 'transaction')?.attributes).toEqual({ 'db.system.name': 'sqlite' })
  })

  it('goes on to the target of a webhook, and whatever that traces', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make({ WEBHOOK_ALLOW: '127.0.0.1' })
    using traces = new Traces(new AlwaysOffSampler())
    await home.serveInProcess()
    const { putWebhook, ask } = await administered(home)
    await putWebhook(receiver.url)
    await ask('PUT', '/feeds/default', { title: 'Default' })
    await signUp(home, 'bob@example.com')
    await signUp(home, 'ada@example.com', `00-${TRACE}-${CALLER}-01`)
    const sentAll = () => receiver.taken.length > 1 && traces.named('webhook').length > 0
    await eventually(sentAll, 'that there are two events, and a span of one')
    const [webhook, ...others] = traces.named('webhook')
    expect(others).toEqual([])
    expect(webhook && traces.pathOf(webhook)).toBe('POST /subscribe > SubscribeUseCase > transaction > webhook')
    const sent = `00-${TRACE}-${webhook?.spanContext().spanId}-01`
    expect(receiver.arrivals.map(({ headers }) => headers.traceparent).sort()).toEqual([sent, undefined])
    expect(new Set(traces.spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]))
  })

  it('has what a person does on the console', async () => {
    const port = String(await freePort())
    await using home = await Home.make({ CONSOLE_PORT: port })
    using traces = new Traces(new AlwaysOnSampler())
    await home.serveInProcess()
    const { stdout } = await home.run('console', 'login')
    const link = stdout.trim()
    const jar = new CookieJar()
    await jar.fetch(link)
    await jar.fetch(`http://127.0.0.1:${port}/login`, { link: link.slice(link.lastIndexOf('/') + 1) })
    await jar.fetch(`http://127.0.0.1:${port}/users/zoe.quartz@personal.example`)
    await jar.fetch(`http://127.0.0.1:${port}/zoe.quartz@personal.example`)
    const requests = traces.spans.filter(({ kind }) => kind === SpanKind.SERVER)
    expect(requests.map(({ name }) => name)).toEqual(['GET /login/{link}', 'POST /login', 'GET /users/{id}', 'GET'])
    const [user] = traces.spans.filter(({ name }) => name === 'GetUserUseCase')
    expect(user && traces.pathOf(user)).toBe('GET /users/{id} > GetUserUseCase')
  })

  it('is in the outbox where it is sampled, and nothing else ever is', async () => {
    const sampled = await carried(ALL, `00-${TRACE}-${CALLER}-01`)
    expect(sampled).toEqual([expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))])
    expect(await carried(ALL, `00-${TRACE}-${CALLER}-00`)).toEqual([null])
    expect(await carried(NONE)).toEqual([null])
    expect(await carried(NO_SDK, `00-${TRACE}-${CALLER}-01`)).toEqual([null])
  })

  it('begins for no request and no mail at a rate of 0, and continues whatever the caller traces', async () => {
    await using sink = await MailSink.open()
    await using home = await Home.make({ SMTP_URL: sink.url, TRACING_RATE: '0' })
    using traces = new Traces(new AlwaysOnSampler())
    await home.serveInProcess()
    await signUp(home, 'bob@example.com')
    await eventually(() => sink.mails.length > 0, 'that there is a mail of what is not traced')
    expect(traces.spans).toEqual([])
    await signUp(home, 'ada@example.com', `00-${TRACE}-${CALLER}-01`)
    await eventually(() => traces.named('mail confirmation').length > 0, 'that there is a span of the mail')
    expect(new Set(traces.spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]))
  })

  it.each([
    ['baggage', 'userId=ada'],
    ['tracestate', 'vendor=ada'],
    ['traceparent', 'nonsense'],
    ['traceparent', `00-${'0'.repeat(32)}-${CALLER}-01`],
  ])('is not begun by a caller that names no span: %s: %s', async (name, value) => {
    await using home = await Home.make({ SMTP_URL: 'smtp://127.0.0.1:9', TRACING_RATE: '0' })
    using traces = new Traces(new AlwaysOnSampler())
    await home.serveInProcess()
    await fetch(`${home.url}/livez`, { headers: { [name]: value } })
    expect(traces.spans).toEqual([])
  })

  it('has nothing of what else a caller says of its own', async () => {
    await using home = await Home.make({ SMTP_URL: 'smtp://127.0.0.1:9' })
    using traces = new Traces(new AlwaysOnSampler())
    await home.serveInProcess()
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=ada', baggage: 'userId=ada' }
    await fetch(`${home.url}/livez`, { headers })
    expect(traces.spans.map((span) => [span.name, span.spanContext().traceState])).toEqual([['GET /livez', undefined]])
  })

  it('says which kind of error there was, and nothing of what it says', async () => {
    await using receiver = await EventReceiver.open()
    await using sink = await MailSink.open()
    sink.refused.add('ada@example.com')
    receiver.reply = () => (response) => response.writeHead(500).end('ada@example.com')
    await using home = await Home.make({ SMTP_URL: sink.url, WEBHOOK_ALLOW: '127.0.0.1' })
    using traces = new Traces(new AlwaysOnSampler())
    await home.serveInProcess()
    const { ask, putWebhook } = await administered(home)
    await putWebhook(receiver.url)
    await signUp(home, 'ada@example.com')
    await ask('GET', '/users/nobody-of-this-id')
    for (const name of ['mail confirmation', 'webhook'])
      await eventually(() => traces.named(name).length > 0, `that there is a span '${name}'`)
    const errorsOf = (name: string) => traces.named(name).map(({ attributes }) => attributes['error.type'])
    expect(errorsOf('mail confirmation')).toEqual(['MailRefusedPermanently'])
    expect(errorsOf('webhook')[0]).toBe('WebhookRefused')
    expect(errorsOf('GetUserUseCase')).toEqual(['UserNotFound'])
    expect(errorsOf('GET /users/:userId')).toEqual([undefined])
    expect(traces.spans.flatMap(({ events }) => events)).toEqual([])
    expect(traces.spans.map(({ status }) => status.message).filter((message) => message !== undefined)).toEqual([])
  })
})

// What a span may say is looked at in every test: `scripts/testing/watch-spans.ts`; `log-privacy.test.ts` fills in what is secret.
it('every route has a span by its pattern, whatever is in the path and the query', async () => {
  await using home = await Home.make({ SMTP_URL: 'smtp://127.0.0.1:9' })
  using traces = new Traces(new AlwaysOnSampler())
  const service = await home.serveInProcess()
  const { paths } = openApiDocument(home.url, undefined, { trace: false })
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  )
  const email = 'zoe.quartz@personal.example'
  const bearer = { Authorization: `Bearer ${await home.token('root', 'admin')}`, 'Content-Type': 'application/json' }
  for (const [method, path] of [...routes, ['GET', '/nowhere/{x}'] as const]) {
    const target = `${home.url}${path.replaceAll(/\{\w+\}/g, encodeURIComponent(email))}?email=${email}&after=${email}`
    const body = method === 'GET' ? {} : { body: JSON.stringify({ email }) }
    await (await fetch(target, { method, headers: bearer, redirect: 'manual', ...body })).text()
  }
  await service.stop()
  const names = new Set(traces.spans.map(({ name }) => name))
  for (const [method, path] of routes) expect(names).toContain(`${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  for (const name of ['GET', 'DeleteUserUseCase', 'ExportSubscriptionsUseCase']) expect(names).toContain(name)
  expect([...new Set(traces.spans.flatMap(({ attributes }) => Object.keys(attributes)))].sort()).toEqual([
    'db.system.name',
    'error.type',
    'http.request.method',
    'http.response.status_code',
    'http.route',
  ])
  expect(JSON.stringify(traces.spans.map(({ name, attributes }) => [name, attributes]))).not.toMatch(/quartz|personal/)
})
