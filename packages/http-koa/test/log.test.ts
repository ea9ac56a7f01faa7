import { Unauthenticated } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { openServer } from './support/open-server.ts'

describe('the log', () => {
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
    const fields = { request_id: 'line-1', route: '/users/:userId', status: 401 }
    expect(server.log.lines).toMatchObject([
      { level: 'info', message: 'a request was refused', fields },
      { level: 'debug', message: 'answered', fields },
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
