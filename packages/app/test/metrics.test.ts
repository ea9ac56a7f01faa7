import { request } from 'node:http'
import { connect } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { MailSink } from './mail-sink.ts'
import { Home } from './running-service.ts'
import type { ServiceInProcess } from './serve-in-process.ts'

describe('metrics', () => {
  let home: Home
  let server: ServiceInProcess
  let sink: MailSink
  let port: number

  beforeAll(async () => {
    sink = await MailSink.open()
    port = await freePort()
    const settings = { METRICS_PORT: String(port), RATE_LIMIT: '4/1m', SMTP_URL: sink.url }
    home = await Home.make({ ...settings, WEBHOOK_ALLOW: '127.0.0.1' })
    server = await home.serveInProcess()
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  const ask = (method = 'GET', path = '/metrics') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  const text = async () => await (await ask()).text()
  const value = async (series: string): Promise<number | undefined> => {
    const line = (await text()).split('\n').find((one) => one.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length + 1))
  }
  const becomes = (series: string, expected: number) =>
    eventually(async () => (await value(series)) === expected, `that ${series} is ${expected}`)

  it('are text for Prometheus, on a port of their own and at one path only', async () => {
    const answer = await ask()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    await answer.arrayBuffer()
    expect((await ask('GET', '/')).status).toBe(404)
    expect((await ask('POST')).status).toBe(405)
    expect((await fetch(`${home.url}/metrics`)).status).toBe(404)
  })

  it('are refused, and nothing else happens, if the body of their request is broken while they are gathered', async () => {
    const client = connect(port, '127.0.0.1')
    client.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n')
    let answer = ''
    for await (const piece of client) answer += piece
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect((await ask()).status).toBe(200)
  })

  // `fetch` sends no other Host than that of its address.
  const askAs = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path: '/metrics', headers: { Host: host } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      asked.on('error', reject).end()
    })

  it('are given to addresses and to localhost, and not to a name that a page may have rebound', async () => {
    for (const host of [`127.0.0.1:${port}`, '127.0.0.1', '[::1]:9090', '[::1]', 'localhost', `LocalHost:${port}`])
      expect([host, await askAs(host)]).toEqual([host, 200])
    const strangers = ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil.example']
    for (const host of [...strangers, '[evil.example]', '127.0.0.1:x', 'user@127.0.0.1', '::1'])
      expect([host, await askAs(host)]).toEqual([host, 421])
  })

  it('begin at zero with every step, rule and outcome', async () => {
    for (const step of ['requested', 'mailed', 'confirmed', 'ended:refused', 'ended:expired', 'turned-away:honeypot'])
      expect([step, await value(`rollcall_signups_total{step="${step}"}`)]).toEqual([step, 0])
    const rules = 'honeypot suppressed mail-cap challenge too-fast rate-limit network-limit invalid-input'
    for (const rule of rules.split(' '))
      expect([rule, await value(`rollcall_signups_turned_away_total{rule="${rule}"}`)]).toEqual([rule, 0])
    for (const outcome of ['sent', 'failed', 'parked'])
      for (const what of ['mails', 'webhook_events'])
        expect([outcome, await value(`rollcall_${what}_total{outcome="${outcome}"}`)]).toEqual([outcome, 0])
  })

  it('follow a sign-up from the form to the mail, and tell which rule turned one away', async () => {
    expect((await home.signUp('ada@example.com', { name: 'Ada Lovelace' })).status).toBe(200)
    expect((await home.signUp('no address')).status).toBe(422)
    expect((await home.signUp('bot@example.com', { website: 'x' })).status).toBe(200)
    expect((await home.signUp('ada@example.com')).status).toBe(200)
    expect((await home.signUp('ada@example.com')).status).toBe(429)
    await becomes('rollcall_signups_total{step="mailed"}', 1)
    await becomes('rollcall_mails_total{outcome="sent"}', 1)
    // What repeats a sign-up begins none, and a form that is a trap's is none.
    expect(await value('rollcall_signups_total{step="requested"}')).toBe(1)
    for (const rule of ['honeypot', 'mail-cap', 'invalid-input', 'rate-limit'])
      expect([rule, await value(`rollcall_signups_turned_away_total{rule="${rule}"}`)]).toEqual([rule, 1])
    expect(await value('rollcall_signups_total{step="turned-away:honeypot"}')).toBe(1)
    await becomes('rollcall_outbox_mails{state="waiting"}', 0)
    expect(await value('rollcall_outbox_oldest_due_seconds')).toBe(0)
    await becomes('rollcall_webhook_events{state="waiting"}', 0)
    expect(await value('rollcall_webhook_events{state="parked"}')).toBe(0)
    expect(await value('rollcall_webhook_oldest_due_seconds')).toBe(0)
  })

  it('count requests by the pattern of their path, and name no path, person or token', async () => {
    for (const path of ['/confirm/someone-secret', '/users/ada@example.com', '/nowhere/ada', '/subscribe?feed=ada'])
      await (await fetch(home.url + path)).arrayBuffer()
    await (await fetch(`${home.url}/users/x`, { method: 'PATCH' })).arrayBuffer()
    const said = await text()
    expect(said).toContain('rollcall_http_requests_total{route="/users/:userId",method="PATCH",status="401"} 1')
    expect(said).toContain('rollcall_http_requests_total{route="/confirm/:token",method="GET",status="404"} 1')
    expect(said).toContain('rollcall_http_requests_total{route="none",method="GET",status="404"}')
    expect(said).toContain('rollcall_http_request_duration_seconds_count{route="/subscribe",method="POST"} 5')
    expect(said).not.toMatch(/ada|Lovelace|someone-secret|nowhere|@/i)
  })

  it('do not grow with what clients make up', async () => {
    await (await fetch(home.url, { method: 'PROPFIND' })).arrayBuffer()
    const series = async () => (await text()).split('\n').filter((line) => line.startsWith('rollcall_')).length
    const before = await series()
    for (const method of ['MKCOL', 'LOCK', 'SEARCH', 'PROPFIND'])
      await (await fetch(`${home.url}/${method.toLowerCase()}`, { method })).arrayBuffer()
    expect(await series()).toBe(before)
  })

  it('are gathered once at a time, however many ask for them at once', async () => {
    const gather = Registry.prototype.getSingleMetricAsString
    let [running, most] = [0, 0]
    const spy = vi.spyOn(Registry.prototype, 'getSingleMetricAsString')
    const watched = spy.mockImplementation(async function (this: Registry, name) {
      if (name !== 'rollcall_mails_total') return await gather.call(this, name)
      most = Math.max(most, ++running)
      return await gather.call(this, name).finally(() => running--)
    })
    try {
      expect(await Promise.all(Array.from({ length: 100 }, () => askAs('127.0.0.1')))).toEqual(Array(100).fill(200))
    } finally {
      watched.mockRestore()
    }
    expect(most).toBe(1)
  })

  it('tell of the version and the disk', async () => {
    expect(await text()).toMatch(/^rollcall_build_info\{version="[\d.]+",node="[\d.]+",database="sqlite"\} 1$/m)
    const [free = 0, size = 0] = [await value('rollcall_disk_free_bytes'), await value('rollcall_disk_size_bytes')]
    expect(free).toBeGreaterThan(0)
    expect(size).toBeGreaterThan(free)
  })

  it('tell when a backup was made and the trail verified, and whether it held', async () => {
    const NAMES = ['backup_success_timestamp_seconds', 'audit_verify_timestamp_seconds', 'audit_verify_success']
    for (const name of NAMES) expect([name, await value(`rollcall_${name}`)]).toEqual([name, undefined])
    const before = Date.now() / 1_000
    expect((await home.run('backup', 'one.db')).code).toBe(0)
    expect((await home.run('audit', 'verify')).code).toBe(0)
    for (const what of ['backup_success', 'audit_verify'])
      expect(await value(`rollcall_${what}_timestamp_seconds`)).toBeGreaterThanOrEqual(before)
    expect(await value('rollcall_audit_verify_success')).toBe(1)
    const other = '1 1 2026-01-01T00:00:00.000Z'
    expect((await home.run('audit', 'verify', '--since', other)).code).not.toBe(0)
    expect(await value('rollcall_audit_verify_success')).toBe(1)
    await expect.poll(() => value('rollcall_audit_anchor_agrees')).toBe(1)
  })

  it('tell what was done from time to time, and how many requests a batch had', async () => {
    expect(await value('rollcall_chore_success_timestamp_seconds{chore="queueing reminders"}')).toBeGreaterThan(0)
    expect(await value('rollcall_chore_failures_total{chore="queueing reminders"}')).toBe(0)
    expect(await value('rollcall_signup_batch_requests_count')).toBeGreaterThan(0)
  })

  it('tell of each webhook how far it is behind, and since when it fails', async () => {
    const put = await home.run('webhook', 'put', 'shop', '--url', 'https://127.0.0.1:9/')
    expect(put.stderr).toBe('')
    await becomes('rollcall_webhook_lag_seconds{webhook="shop"}', 0)
    expect(await value('rollcall_webhook_failing_seconds{webhook="shop"}')).toBe(0)
    expect((await home.run('user', 'put', 'ada', '--email', 'ada@example.com')).stderr).toBe('')
    for (const what of ['lag', 'failing'])
      await eventually(
        async () => Number(await value(`rollcall_webhook_${what}_seconds{webhook="shop"}`)) > 0,
        `that it is ${what}`,
      )
  })

  it('tell of the process and its event loop', async () => {
    const said = await text()
    for (const name of ['process_resident_memory', 'nodejs_heap_size_used']) expect(said).toContain(`\n${name}_bytes `)
    expect(said).toContain('\nnodejs_eventloop_lag_p99_seconds ')
  })

  it('keep what is stored over a restart, and restart the counters', async () => {
    await server.stop()
    server = await home.serveInProcess()
    expect(await value('rollcall_signups_total{step="turned-away:honeypot"}')).toBe(1)
    expect(await value('rollcall_signups_turned_away_total{rule="honeypot"}')).toBe(0)
  })

  it('are not shown where no port is set, and warned of where others can reach them', async () => {
    expect(server.log).not.toContain('reachable from outside')
    await using shown = await Home.make({ METRICS_PORT: String(await freePort()), METRICS_HOST: '0.0.0.0' })
    expect((await shown.serveInProcess()).log).toContain('metrics are reachable from outside')
  })

  it('say which setting to change when their port is taken', async () => {
    await using second = await Home.make({ METRICS_PORT: String(port) })
    const { code, stderr } = await second.run('serve')
    expect(code).toBe(4)
    expect(stderr).toBe(
      `error: Cannot listen on 127.0.0.1:${port} (EADDRINUSE). Something else listens there: stop it, or choose another with ROLLCALL_METRICS_PORT.\n`,
    )
  })
})
