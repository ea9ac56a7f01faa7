import { Unauthenticated } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { openServer } from './support/open-server.ts'

const SECRETS = /s3cret|brian|example\.com|memory\.token|[0-9a-f]{32}/i

describe('the log', () => {
  it('never holds a body, a token, an address, a name, a link or a query', async () => {
    const server = await openServer()
    const token = await server.token('root', 'admin')
    const form = { email: 'brian.s3cret@example.com', name: 'Brian s3cret' }
    await server.request('POST', '/subscribe?s3cret=1', { form })
    await server.request('POST', '/subscribe', { form: { ...form, email: 's3cret' } })
    const type = { 'Content-Type': 'application/json' }
    await server.request('POST', '/subscribe', { body: '{"email": s3cret brian@example.com', headers: type })
    await server.request('POST', '/subscribe', { body: `"s3cret${'x'.repeat(20_000)}`, headers: type })
    const links = await server.links()
    for (const method of ['GET', 'POST', 'TRACE', 'PATCH']) await server.request(method, links.confirm)
    await server.request('POST', '/confirm/s3cret')
    await server.request('GET', '/users?query=s3cret&access_token=s3cret', { token })
    await server.request('GET', '/users/s3cret', { token: 's3cret' })
    await server.request('DELETE', '/users/brian@example.com?reason=s3cret', { token: await server.token('brian') })
    await server.request('PUT', '/users/brian', { token, json: { ...form, roles: [] } })
    await server.request('GET', '/s3cret/%zz', { headers: { Cookie: 's3cret' } })
    await server.raw('s3cret s3cret\r\n\r\n')
    server.useCases.listUsers.execute = async () => {
      throw new Error('a defect')
    }
    await server.request('GET', '/users?query=s3cret', { token })
    expect(server.log.lines.length).toBeGreaterThan(15)
    for (const { fields, message } of server.log.lines)
      expect(JSON.stringify({ ...fields, message })).not.toMatch(SECRETS)
  })

  it('holds no internal error if a request turns out to be broken while it is answered', async () => {
    const server = await openServer()
    const answered = Promise.withResolvers<void>()
    const { showFeed } = server.useCases
    const show = showFeed.execute.bind(showFeed)
    showFeed.execute = async (command) => {
      await answered.promise
      return await show(command)
    }
    const head = 'GET /subscribe HTTP/1.1\r\nHost: x\r\nX-Request-Id: broken\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(await server.raw([head, 'no chunk\r\n'])).toMatch(/^HTTP\/1.1 400 /)
    answered.resolve()
    const lines = () => server.log.lines.filter(({ fields }) => fields.request_id === 'broken')
    await expect.poll(() => lines().map(({ message }) => message)).toContain('answered')
    expect(lines().filter(({ level }) => level === 'error')).toEqual([])
  })

  it('has a line for every request, with its id, route and status', async () => {
    const server = await openServer()
    await server.request('GET', '/users/1', { headers: { 'X-Request-Id': 'line-1' } })
    expect(
      server.log.lines.map(({ level, message, fields }) => [
        level,
        message,
        fields.request_id,
        fields.route,
        fields.status,
      ]),
    ).toEqual([
      ['info', 'a request was refused', 'line-1', '/users/:userId', 401],
      ['debug', 'answered', 'line-1', '/users/:userId', 401],
    ])
  })

  it('says which check a refused token failed, and the answer does not', async () => {
    const server = await openServer()
    const { authenticate } = server.useCases
    const answers: unknown[] = []
    for (const failedCheck of ['aud', 'nonce']) {
      authenticate.execute = async () => {
        throw new Unauthenticated('Get another one.', { tokenRefused: true, failedCheck })
      }
      const answer = await server.request('GET', '/users', { token: 'x', headers: { 'X-Request-Id': 'same' } })
      const { date, ...headers } = answer.headers
      answers.push([answer.status, headers, answer.body])
    }
    expect(answers[1]).toEqual(answers[0])
    const refusals = server.log.lines.filter(({ message }) => message === 'a request was refused')
    expect(refusals.map(({ fields }) => fields.failed_check)).toEqual(['aud', 'nonce'])
  })

  it('is not flooded by repeated refusals', async () => {
    const server = await openServer()
    for (let i = 0; i < 50; i++) await server.request('GET', '/users')
    server.clock.advance(1_000)
    await server.request('GET', '/users')
    const refusals = server.log.lines.filter(({ level }) => level === 'info')
    expect(refusals.map(({ fields }) => fields.withheld)).toEqual([...Array.from({ length: 10 }, () => 0), 40])
  })
})
