import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { ProviderLogin } from '../../src/index.ts'
import type { TestBrowser } from './open-console.ts'

/** An identity provider that asks nobody anything, and says of them what it is told to. */
export const lenientProvider = async () => {
  let said: Readonly<Record<string, unknown>> = {}
  let accessToken = ''
  const server = http.createServer((request, answer) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    const tokens = { access_token: accessToken, token_type: 'Bearer', id_token: unsigned(said) }
    answer.setHeader('Content-Type', 'application/json')
    answer.end(JSON.stringify(isDiscovery ? metadata : tokens))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    id_token_signing_alg_values_supported: ['RS256'],
  }
  return {
    login: new ProviderLogin({
      ...{ issuer, clientId: 'console', clientSecret: undefined, scope: 'openid', subjectClaim: 'sub' },
    }),
    /** Sends the form of the login page; gives what the provider was asked, and what the console answered in the end. */
    logIn: async (
      browser: TestBrowser,
      form: Readonly<Record<string, string>>,
      as: { readonly subject: string; readonly token: string; readonly authTime?: number },
    ) => {
      const { headers } = await browser.post('/login/provider', form)
      const { searchParams: asked } = new URL(headers.location ?? '')
      const now = Math.floor(Date.now() / 1_000)
      const times = { iat: now, exp: now + 60, auth_time: as.authTime }
      said = { iss: issuer, aud: 'console', sub: as.subject, nonce: asked.get('nonce'), ...times }
      accessToken = as.token
      return { asked, answer: await browser.get(`/login/callback?code=c&state=${asked.get('state')}`) }
    },
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** It comes over the connection to the provider itself, so nobody looks at the signature. */
const unsigned = (claims: object): string =>
  [{ alg: 'RS256' }, claims, 'x'].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
