import { operator } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { sharedServer } from './support/open-server.ts'

const server = await sharedServer()
const admin = await server.token('root', 'admin')

describe('access tokens', () => {
  const ask = (method: string, path: string, token = admin, headers = {}) =>
    server.ask(method, path, { token, headers })
  const issue = (subject: string, role: string) =>
    server.useCases.issueToken.execute({ subject, roles: [role], lifetime: 3_600 }, operator('root'))

  it('are listed for administrators, page by page, without the tokens', async () => {
    const { token, tokenId } = await issue('mailer', 'sender')
    await issue('mailer-2', 'sender')
    const { status, value, body } = await ask('GET', '/tokens?subject=mailer')
    expect(status).toBe(200)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
    expect(value).toEqual({
      items: [
        {
          ...{ jti: tokenId, subject: 'mailer', roles: ['sender'], feeds: null, label: '' },
          ...{ issued_by: 'operator:root', issued_at: time, expires_at: time },
          ...{ last_used_at: null, revoked_at: null },
        },
      ],
      next: null,
    })
    expect(body).not.toContain(token)
    const first = (await ask('GET', '/tokens?limit=1')).value
    expect([first.items.length, typeof first.next]).toEqual([1, 'string'])
  })

  it('are refused with the answer that revokes them, for every method; again is 204', async () => {
    const { token, tokenId } = await issue('stolen', 'admin')
    const path = `/tokens/${tokenId}`
    expect((await ask('GET', '/feeds', token)).status).toBe(200)
    expect(await ask('DELETE', path)).toMatchObject({ status: 204, body: '' })
    const refused = await ask('GET', '/feeds', token)
    expect([refused.status, refused.value.error]).toEqual([401, 'Unauthenticated'])
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer realm="rollcall", error="invalid_token", error_description="This token was revoked. Get a new one."',
    )
    expect((await ask('DELETE', path)).status).toBe(204)
    expect((await ask('GET', '/feeds')).status).toBe(200)
  })

  it('may be revoked by themselves, and where they are not listed', async () => {
    const { token, tokenId } = await issue('leaving', 'admin')
    expect((await ask('DELETE', `/tokens/${tokenId}`, token)).status).toBe(204)
    expect((await ask('DELETE', '/tokens/urn%3Auuid%3A1', token)).status).toBe(401)
    expect((await ask('DELETE', '/tokens/urn%3Auuid%3A1')).status).toBe(204)
  })

  it('answer 404 for an id that no token can have', async () => {
    for (const id of ['two%20words', 'x'.repeat(256), '%C3%A4']) {
      const { status, value } = await ask('DELETE', `/tokens/${id}`)
      expect([status, value.error]).toEqual([404, 'TokenNotFound'])
    }
  })
})
