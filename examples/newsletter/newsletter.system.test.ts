import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { openMemoryService } from '@rollcall/core/memory'
import { createHttpServer, drain } from '@rollcall/http-koa'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../packages/app/test/free-port.ts'
import { awsSignature, serveListmonk, servePostmark, serveSes } from './fakes.ts'

const run = promisify(execFile)
/** In seconds. */
const DAY = 24 * 3_600
const script = (name: string): string => path.join(import.meta.dirname, name)

/** A service with the feed of the example, and a folder where its scripts run as a sender of that feed. */
const openRollcall = async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const service = openMemoryService({ publicUrl })
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const options = { publicUrl, trace: true, trustProxy: 0, corsOrigins: [], jwks: () => ({ keys: [] }), log }
  const server = createHttpServer({ ...options, useCases: service.useCases })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-newsletter-'))
  onTestFinished(async () => {
    await drain(server, 1_000)
    await rm(folder, { recursive: true })
  })
  const { token: admin } = await service.tokens.issue({ subject: 'root', roles: ['admin'], lifetime: 2 * DAY })
  const ask = async (method: string, place: string, body?: object) => {
    const headers = { authorization: `Bearer ${admin}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(publicUrl + place, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    return { status: answer.status, value: text === '' ? undefined : JSON.parse(text) }
  }
  await ask('PUT', '/feeds/weekly', { title: 'The weekly letter' })
  const { token } = await service.tokens.issue({
    subject: 'mailer',
    roles: ['sender'],
    lifetime: 2 * DAY,
    feeds: ['weekly'],
  })
  const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
    return { PATH: process.env.PATH, SERVER: publicUrl, TOKEN: token, ...more }
  }
  return {
    ask,
    clock: service.clock,
    folder,
    environment,
    /** The id of its confirmed subscription. */
    confirmed: async (email: string): Promise<number> => {
      const { value } = await ask('POST', '/subscribe', { email, feed: 'weekly', name: email.split('@')[0] })
      await service.useCases.deliverOutbox.execute({ limit: 10 })
      await fetch(`${service.transport.mails.at(-1)?.links.confirm}`, { method: 'POST' })
      return value.subscription.id
    },
    imported: async (rows: readonly object[]): Promise<number> => {
      const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/x-ndjson' }
      const answer = await fetch(`${publicUrl}/subscriptions/import`, { method: 'POST', headers, body })
      expect(await answer.text()).toContain(`"imported":${rows.length}`)
      return answer.status
    },
    statusOf: async (id: number): Promise<string> => (await ask('GET', `/subscriptions/${id}`)).value.status,
    node: (name: string, more: NodeJS.ProcessEnv) =>
      run(process.execPath, [script(name)], { cwd: folder, env: environment(more) }),
  }
}

const AWS = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' }

const [ada, eve, bob] = ['ada@example.com', 'eve@example.com', 'bob@example.com'] as const

it('sends through Amazon SES, and goes on where it stopped', async () => {
  const rollcall = await openRollcall()
  await using ses = await serveSes('secret', (address) => address === eve)
  const [id, refused] = [await rollcall.confirmed(ada), await rollcall.confirmed(eve)]
  const environment = {
    ...AWS,
    AWS_SESSION_TOKEN: 'of a role',
    SES_URL: ses.url,
    SES_CONFIGURATION_SET: 'newsletters',
  }
  const first = await rollcall.node('ses.js', environment)
  expect(first.stdout).toBe('1 sent, 0 skipped, 1 refused by the provider\n')
  expect(first.stderr).toContain(`not sent to ${refused}: `)
  // Pasted with a mark that is not seen, which Amazon would refuse.
  await rollcall.confirmed(`${bob}\u2060`)
  expect((await rollcall.node('ses.js', environment)).stdout).toBe('1 sent, 0 skipped, 1 refused by the provider\n')
  expect(ses.mails.map(({ Destination }) => Destination.ToAddresses)).toEqual([[ada], [bob]])
  expect(ses.mails[0]).toMatchObject({ ConfigurationSetName: 'newsletters', FromEmailAddress: expect.any(String) })
  const { Body, Headers } = ses.mails[0]!.Content.Simple
  const headers = Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value]))
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(headers['List-Id']).toMatch(/weekly/)
  const [, link = ''] = /^<(.*)>$/.exec(headers['List-Unsubscribe'] ?? '') ?? []
  expect(Body.Text.Data).toContain(`Unsubscribe: ${link}`)
  expect(
    (await fetch(link, { method: 'POST', body: new URLSearchParams(headers['List-Unsubscribe-Post']) })).status,
  ).toBe(200)
  expect(await rollcall.statusOf(id)).toBe('ended')
})

it('asks again about each batch right before it goes out', async () => {
  const rollcall = await openRollcall()
  const consent = { status: 'confirmed', confirmed_at: '2024-01-31', consent: 'at the fair', feed: 'weekly' }
  const rows = Array.from({ length: 51 }, (_, place) => ({ email: `reader-${place}@example.com`, ...consent }))
  expect(await rollcall.imported(rows)).toBe(200)
  let isFirst = true
  await using ses = await serveSes('secret', async () => {
    if (!isFirst) return false
    isFirst = false
    const { value } = await rollcall.ask('GET', '/subscriptions?feed=weekly&limit=100')
    for (const { id } of value.items) await rollcall.ask('DELETE', `/subscriptions/${id}`)
    return false
  })
  const { stdout } = await rollcall.node('ses.js', { ...AWS, SES_URL: ses.url })
  expect(stdout).toBe('50 sent, 1 skipped, 0 refused by the provider\n')
})

it('sends nothing of a list that breaks off', async () => {
  const rollcall = await openRollcall()
  const recipients = Array.from({ length: 50 }, (_, id) => ({ id, email: ada, headers: {} }))
  const server = createServer((req, res) => {
    res.setHeader('Content-Type', req.method === 'POST' ? 'application/json' : 'application/x-ndjson')
    if (req.method === 'POST') res.end(JSON.stringify({ send: recipients.map(({ id }) => id), skip: [] }))
    else res.end([{ feed: 'weekly' }, ...recipients].map((line) => `${JSON.stringify(line)}\n`).join(''))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  await using ses = await serveSes('secret', () => false)
  const SERVER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(rollcall.node('ses.js', { ...AWS, SES_URL: ses.url, SERVER })).rejects.toThrow('broke off')
  expect(ses.mails).toEqual([])
})

it('stops where Amazon SES does not know the signature', async () => {
  const rollcall = await openRollcall()
  await using ses = await serveSes('secret', () => false)
  await rollcall.confirmed(ada)
  const environment = { ...AWS, AWS_SECRET_ACCESS_KEY: 'another' }
  await expect(rollcall.node('ses.js', { ...environment, SES_URL: ses.url })).rejects.toThrow('403 InvalidSignature')
  expect(await readFile(path.join(rollcall.folder, '2026-48.sent'), 'utf8')).toBe('')
})

it('checks signatures as the example in the manual of Amazon has it', () => {
  const signed = 'content-type;host;x-amz-date'
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=${signed}, Signature=`
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host: 'iam.amazonaws.com',
    'x-amz-date': '20150830T123600Z',
    authorization,
  }
  const url = new URL('https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08')
  expect(
    awsSignature({ method: 'GET', url, headers, body: Buffer.alloc(0) }, 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'),
  ).toBe('5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7')
})

it('sends through Postmark', async () => {
  const rollcall = await openRollcall()
  await using postmark = await servePostmark('server token', (address) => address === eve)
  const [id, refused, blocked] = [
    await rollcall.confirmed(ada),
    await rollcall.confirmed(eve),
    await rollcall.confirmed(bob),
  ]
  const environment = { POSTMARK_URL: postmark.url, POSTMARK_TOKEN: 'server token' }
  expect(blocked).toBeGreaterThan(0)
  const { stdout, stderr } = await rollcall.node('postmark.js', environment)
  expect(stdout).toBe('2 sent, 0 skipped, 1 refused by the provider\n')
  expect(stderr).toBe(`not sent to ${refused}: 406 You tried to send to an inactive recipient.\n`)
  expect(postmark.messages.map(({ To, Metadata }) => [To, Metadata])).toEqual([
    [ada, { subscription: String(id) }],
    [bob, { subscription: String(blocked) }],
  ])
  expect(postmark.messages[0]).toMatchObject({
    MessageStream: 'broadcast',
    Headers: expect.arrayContaining([{ Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' }]),
  })
})

it('reports what Postmark says of bounces and complaints', async () => {
  const rollcall = await openRollcall()
  const [id, complaining, passing] = [
    await rollcall.confirmed(ada),
    await rollcall.confirmed(eve),
    await rollcall.confirmed(bob),
  ]
  const child = spawn(process.execPath, [script('postmark-webhook.js')], {
    env: rollcall.environment({ PORT: '0', WEBHOOK_USER: 'postmark', WEBHOOK_PASSWORD: 'secret' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const send = async (report: object, password = 'secret'): Promise<number> => {
    const headers = { authorization: `Basic ${btoa(`postmark:${password}`)}`, 'content-type': 'application/json' }
    const url = `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}`
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(report) })).status
  }
  // The fields as Postmark's documentation has them.
  const bounce = (subscription: number | undefined, Type = 'HardBounce', RecordType = 'Bounce') => ({
    ...{ RecordType, Type, ID: 42, TypeCode: 1, Email: ada, MessageStream: 'broadcast', Inactive: true },
    MessageID: `00000000-${subscription}`,
    BouncedAt: new Date(rollcall.clock.now()).toISOString().replace('Z', '0270Z'),
    Metadata: subscription === undefined ? {} : { subscription: String(subscription) },
  })
  expect(await send(bounce(id), 'guessed')).toBe(401)
  const undeliverable = async () => (await rollcall.ask('GET', '/undeliverable')).value.items
  expect(await undeliverable()).toEqual([])
  expect(await send(bounce(undefined))).toBe(200)
  expect(await send(bounce(id, 'AutoResponder'))).toBe(200)
  expect(await undeliverable()).toEqual([])
  expect(await send(bounce(id))).toBe(200)
  expect(await undeliverable()).toMatchObject([{ state: 'undeliverable' }])
  expect(await send(bounce(passing, 'SoftBounce'))).toBe(200)
  expect(await undeliverable()).toMatchObject([{ state: 'undeliverable' }])
  const noCode = { ...bounce(passing, 'DnsError'), Details: 'smtp;421 [10.4.2.2] Mailer 5.1.1.2 and 4.02.2 wait' }
  expect(await send(noCode)).toBe(200)
  expect(await undeliverable()).toMatchObject([{ state: 'undeliverable' }])
  const full = { ...bounce(passing, 'Transient'), Details: 'smtp;452 4.2.2 The mailbox is full' }
  expect(await send(full)).toBe(200)
  expect(await undeliverable()).toMatchObject([{ state: 'undeliverable' }, { state: 'failing' }])
  expect(await send(bounce(complaining, 'SpamComplaint', 'SpamComplaint'))).toBe(200)
  expect(await rollcall.statusOf(complaining)).toBe('ended')
})

it('keeps a list of listmonk in step', async () => {
  const rollcall = await openRollcall()
  await using listmonk = await serveListmonk('token rollcall:secret', 3)
  const environment = {
    LISTMONK_URL: listmonk.url,
    LISTMONK_USER: 'rollcall',
    LISTMONK_TOKEN: 'secret',
    LISTMONK_LIST: '3',
  }
  const keep = async () => (await rollcall.node('listmonk.js', environment)).stdout
  const members = () =>
    Object.fromEntries(listmonk.subscribers.filter(({ status }) => status).map(({ email, status }) => [email, status]))
  expect(await keep()).toBe('0 recipients, 0 unsubscribed, 0 removed\n')
  const ids = [await rollcall.confirmed(ada), await rollcall.confirmed(bob)]
  listmonk.subscribers.push({ id: 900, email: 'old@example.com', name: '', attribs: {}, status: 'confirmed' })
  expect(await keep()).toBe('2 recipients, 0 unsubscribed, 1 removed\n')
  expect(members()).toEqual({ [ada]: 'confirmed', [bob]: 'confirmed' })
  expect(listmonk.imports[0]).toMatchObject({
    mode: 'subscribe',
    subscription_status: 'confirmed',
    delim: ',',
    lists: [3],
  })

  listmonk.subscribers.find(({ email }) => email === ada)!.status = 'unsubscribed'
  expect(await keep()).toBe('1 recipients, 1 unsubscribed, 0 removed\n')
  expect(await rollcall.statusOf(ids[0]!)).toBe('ended')
  expect(members()).toEqual({ [bob]: 'confirmed' })

  // Not so soon after the first mail is there another one.
  rollcall.clock.advance(DAY * 1_000)
  await rollcall.confirmed(ada)
  await rollcall.ask('DELETE', `/subscriptions/${ids[1]}`)
  expect(await keep()).toBe('1 recipients, 0 unsubscribed, 1 removed\n')
  expect(members()).toEqual({ [ada]: 'confirmed' })
})
