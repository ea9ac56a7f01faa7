import { describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'

const REFUSAL = `{"error":"InsufficientPermissions","message":"Deleting users requires the 'admin' role."}`
const PENDING = 'User subscription pending. A confirmation email has been sent.'
const FORM = 'name=Brian%20Smith&email=brian.smith%40example.com'

const server = await sharedServer()

describe('the examples of the seed', () => {
  it('answers the form of the seed with 200 and exactly the documented body', async () => {
    const answer = await server.raw(
      'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
        `Content-Length: ${FORM.length}\r\nConnection: close\r\n\r\n${FORM}`,
    )
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const { id } = JSON.parse(body).subscription
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toMatch(/\r\nContent-Type: application\/json\r\n/)
    expect(head).toMatch(new RegExp(`\\r\\nContent-Length: ${body.length}\\r\\n`))
    expect(body).toBe(
      `{"message":"${PENDING}","subscription":{"name":"Brian Smith","email":"brian.smith@example.com","id":${id},"feed":"default"}}`,
    )
    expect(Number.isSafeInteger(id) && id > 0).toBe(true)
  })

  it('refuses a deletion without the role with 403 and exactly the documented bytes', async () => {
    const answer = await server.raw(
      `DELETE /users/123 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await server.token('somebody')}\r\nConnection: close\r\n\r\n`,
    )
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(head).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/)
    expect(head).toMatch(/\r\nContent-Type: application\/json\r\n/)
    expect(head).toMatch(/\r\nContent-Length: 89\r\n/)
    expect(body).toBe(REFUSAL)
  })

  it.each([
    ['a user that does not exist', '/users/nobody-here', []],
    ['oneself', '/users/somebody', []],
    ['the role auditor', '/users/123', ['auditor']],
  ])('refuses with the same bytes for %s', async (_, path, roles) => {
    const token = await server.token('somebody', ...roles)
    for (const again of [1, 2]) {
      const { status, body } = await server.request('DELETE', path, { token })
      expect([again, status, body]).toEqual([again, 403, REFUSAL])
    }
  })

  it('creates with 201 and Location, replaces with 204, deletes with 204, and has neither type nor length there', async () => {
    const token = await server.token('root', 'admin')
    const user = { email: 'u@example.com', name: 'U', roles: [] }
    const created = await server.request('PUT', '/users/123', { token, json: user })
    expect([created.status, created.headers.location]).toEqual([201, '/users/123'])
    for (const method of ['PUT', 'DELETE']) {
      const answer = await server.request(method, '/users/123', method === 'PUT' ? { token, json: user } : { token })
      expect([answer.status, answer.body]).toEqual([204, ''])
      expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['content-length']))
      expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['content-type']))
    }
    const again = await server.request('DELETE', '/users/123', { token })
    expect([again.status, JSON.parse(again.body).error]).toEqual([410, 'UserDeleted'])
    const never = await server.request('DELETE', '/users/never', { token })
    expect([never.status, JSON.parse(never.body).error]).toEqual([404, 'UserNotFound'])
    const reuse = await server.request('PUT', '/users/123', { token, json: user })
    expect([reuse.status, JSON.parse(reuse.body).error]).toEqual([410, 'UserDeleted'])
  })

  it('reflects TRACE on any path, in order and case, less secrets and what proxies add', async () => {
    const answer = await server.raw(
      'TRACE /any/where?x=1 HTTP/1.1\r\nHost: x\r\nX-Custom: One\r\nauthorization: Bearer s3cret\r\nCookie: a=s3cret\r\n' +
        'PROXY-AUTHORIZATION: s3cret\r\nX-Forwarded-For: 1.2.3.4\r\nforwarded: for=1.2.3.4\r\nx-second: two\r\nConnection: close\r\n\r\n',
    )
    const [head, body] = answer.split(/\r\n\r\n([\s\S]*)/)
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toMatch(/\r\nContent-Type: message\/http\r\n/)
    expect(head).toMatch(/\r\nCache-Control: no-store\r\n/)
    expect(head).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/)
    expect(body).toBe(
      'TRACE /any/where?x=1 HTTP/1.1\r\nHost: x\r\nX-Custom: One\r\nx-second: two\r\nConnection: close\r\n\r\n',
    )
  })

  const SECRET = `X-Api-Key x-api-key X-Auth-Request-Access-Token X-Auth-Request-Email Cf-Access-Jwt-Assertion
    X-Amzn-Oidc-Data X-Amzn-Oidc-Accesstoken X-Client-Cert X-Client-Cert-Chain X-Real-IP Client-Cert Client-Cert-Chain
    X-SSL-Client-Cert X-Amzn-Mtls-Clientcert Cf-Connecting-IP True-Client-IP X-Client-IP X-Original-Forwarded-For
    X-Envoy-External-Address X-Goog-Iap-Jwt-Assertion X-Goog-Authenticated-User-Email X-Ms-Client-Principal
    X-Ms-Token-Aad-Access-Token X-Auth-Token X-Access-Token X-Csrf-Token Remote-User`

  it.each(SECRET.split(/\s+/))('keeps %s out of the answer to TRACE', async (name) => {
    const answer = await server.raw(`TRACE / HTTP/1.1\r\nHost: x\r\n${name}: s3cret\r\nConnection: close\r\n\r\n`)
    expect(answer.split('\r\n\r\n')[1]).toBe('TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close')
  })

  it.each(['X-Api-Version', 'X-Real', 'X-Auth', 'X-Client', 'X-Request-Id', 'Via', 'X-Authority', 'Cf-Ray'])(
    'gives %s back in the answer to TRACE',
    async (name) => {
      const sent = `TRACE / HTTP/1.1\r\nHost: x\r\n${name}: given\r\nConnection: close\r\n\r\n`
      expect((await server.raw(sent)).split(/\r\n\r\n([\s\S]*)/)[1]).toBe(sent)
    },
  )
})
