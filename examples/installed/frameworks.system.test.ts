import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../packages/app/test/free-port.ts'
import { commandsOn, type Running, startUntil } from './running.ts'
import { Stranger, Tarballs } from './stranger.ts'

const INSTALL = 'npm install --no-save ../../tarballs/*.tgz'
const EXAMPLES = path.join(import.meta.dirname, '..')

let tarballs: Tarballs
beforeAll(async () => {
  tarballs = await Tarballs.pack()
})
afterAll(() => tarballs.remove())

/** Status line, the header fields that a README shows, and the body; no two services have the same ids. */
const shown = (answer: string, fields: readonly string[]) => {
  const [head = '', body = ''] = answer.replaceAll('\r', '').split('\n\n')
  const [status, ...headers] = head.split('\n')
  const found = headers.filter((line) => fields.includes(line.split(':')[0]?.toLowerCase() ?? ''))
  const lines = found.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).sort()
  return [status, lines, body.trim().replace(/"id":[1-9]\d*/, '"id":1')]
}

const fieldsOf = (answer: string) =>
  [...(answer.split('\n\n')[0] ?? '').matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name.toLowerCase())

/** Which blocks of a README are followed by what they print. */
const ANSWERED: Readonly<Record<string, readonly boolean[]>> = {
  express: [true, false, true, false, true],
  fastify: [true, false, true],
  nestjs: [true, false, true],
}

/** What a caller without the role is told: the express example has a policy of its own. */
const refusalOf = (example: string): string =>
  JSON.stringify({
    error: 'InsufficientPermissions',
    message:
      example === 'express'
        ? 'You may delete yourself, and leads the people of their department.'
        : "Deleting users requires the 'admin' role.",
  })

describe.each(['express', 'fastify', 'nestjs'])('%s', (example) => {
  let project: Stranger
  let port: number
  let server: Running
  let blocks: ReturnType<typeof commandsOn>

  beforeAll(async () => {
    project = await Stranger.beside(tarballs, path.join(EXAMPLES, example))
    blocks = commandsOn(await project.read('README.md'))
    port = await freePort()
    const [install, start = '', ...others] = blocks.shift()?.command.split('\n') ?? []
    expect([install, start, others]).toEqual([INSTALL, 'npm start', []])
    await project.run('bash', '-ec', `${install} --no-audit --no-fund --loglevel=error`)
    server = await startUntil(project, `http://127.0.0.1:${port}`, start, { PORT: String(port) })
  })
  afterAll(async () => {
    await server?.stop()
    await project[Symbol.asyncDispose]()
  })

  const send = async (method: string, target: string, headers: Record<string, string>, body = '') => {
    const req = request({ port, host: '127.0.0.1', method, path: target, headers }).end(body)
    const [res] = await once(req, 'response')
    return { status: res.statusCode, headers: res.headers, body: await text(res) }
  }
  const subscribe = (body: string) =>
    send(
      'POST',
      '/subscribe',
      { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) },
      body,
    )
  const token = async (...options: string[]) =>
    (await project.run('npx', 'rollcall', 'token', 'issue', ...options)).trim()

  it('compiles under strict settings', async () => {
    await project.run('npx', 'tsc', '--noEmit')
  })

  it('does what its README says, at the first try', async () => {
    expect(blocks.map(({ printed }) => printed !== undefined)).toEqual(ANSWERED[example])
    for (const { command, printed: answer } of blocks) {
      const printed = await project.run('bash', '-ec', command.replaceAll(':3000', `:${port}`))
      if (answer !== undefined) expect(shown(printed, fieldsOf(answer))).toEqual(shown(answer, fieldsOf(answer)))
    }
    const exported = await project.run('npx', 'rollcall', 'subscription', 'list', '--json')
    expect(exported).toMatch(/"status": ?"confirmed"/)
  })

  it('answers a sign-up to the byte, whether or not the address is known', async () => {
    const answers = [
      await subscribe('name=Ada%20%22A%22%20%C3%9C&email=Ada%40Example.com'),
      await subscribe('name=Ada%20%22A%22%20%C3%9C&email=Ada%40Example.com'),
    ]
    for (const { status, headers, body } of answers) {
      expect([status, headers['content-type']]).toEqual([200, 'application/json'])
      expect(body).toMatch(
        /^\{"message":"User subscription pending\. A confirmation email has been sent\.","subscription":\{"name":"Ada \\"A\\" Ü","email":"Ada@Example\.com","id":[1-9]\d{0,15},"feed":"default"\}\}$/,
      )
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    }
    expect(answers[0]?.body).toBe(answers[1]?.body)
  })

  it('answers a form that names feeds with all of its subscriptions', async () => {
    const { status, body } = await subscribe('email=cora%40example.com&feeds=default')
    expect([status, Object.keys(JSON.parse(body))]).toEqual([200, ['message', 'subscriptions']])
  })

  it('ends a subscription by one click, sent as a form of either kind, or as anything else', async () => {
    const multipart = new FormData()
    multipart.set('List-Unsubscribe', 'One-Click')
    const bodies = [multipart, new URLSearchParams('List-Unsubscribe=One-Click'), 'One-Click', undefined]
    const rows = bodies.map((_, n) => `click-${n}@example.com,confirmed,2024-01-31,at the fair`)
    const file = ['email,status,confirmed_at,consent', ...rows].join('\n')
    await project.run('bash', '-ec', `echo '${file}' | npx rollcall subscription import --format csv -`)
    const links = async (): Promise<readonly string[]> => {
      const lines = (await project.run('npx', 'rollcall', 'recipient', 'list', 'default')).trim().split('\n')
      const recipients = lines.slice(1, -1).map((line) => JSON.parse(line))
      return recipients.flatMap(({ email, unsubscribe_url }) => (email.startsWith('click-') ? [unsubscribe_url] : []))
    }
    const before = await links()
    expect(before).toHaveLength(bodies.length)
    for (const [n, body] of bodies.entries()) {
      const { status } = await fetch(before[n]!, { method: 'POST', body })
      expect([body, status]).toEqual([body, 200])
    }
    expect(await links()).toEqual([])
  })

  it('refuses a form that is not good', async () => {
    for (const body of ['', 'email=', 'email=nobody', 'email=a%40example.com&email=b%40example.com', 'email[x]=1']) {
      const { status, headers, body: answer } = await subscribe(body)
      expect([body, status, headers['content-type']]).toEqual([body, 422, 'application/json'])
      expect(JSON.parse(answer)).toMatchObject({ error: 'InvalidInput', details: [{ field: 'email' }] })
    }
  })

  it('refuses a deletion without the role, for every caller and every user', async () => {
    const Authorization = `Bearer ${await token('--subject', 'mallory', '--role', 'auditor')}`
    for (const id of ['123', 'eve', 'no such user'].map(encodeURIComponent)) {
      const { status, headers, body } = await send('DELETE', `/users/${id}`, { Authorization })
      expect([status, headers['content-type'], headers['content-length']]).toEqual([
        403,
        'application/json',
        String(refusalOf(example).length),
      ])
      expect(headers.date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
      expect(body).toBe(refusalOf(example))
    }
    const { status, headers } = await send('DELETE', '/users/123', {})
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="rollcall"'])
  })

  it('deletes a user once', async () => {
    await project.run('npx', 'rollcall', 'user', 'put', 'bob', '--email', 'bob@example.com', '--name', 'Bob')
    const Authorization = `Bearer ${await token('--subject', 'root', '--role', 'admin')}`
    const remove = () => send('DELETE', '/users/bob', { Authorization })
    expect(await remove()).toMatchObject({ status: 204, body: '' })
    const again = await remove()
    expect([again.status, JSON.parse(again.body).error]).toEqual([410, 'UserDeleted'])
  })

  it('closes the database when it is asked to stop', async () => {
    expect(existsSync(path.join(project.folder, 'data/rollcall.db-wal'))).toBe(true)
    await server.stop()
    expect(existsSync(path.join(project.folder, 'data/rollcall.db-wal'))).toBe(false)
  })
})
