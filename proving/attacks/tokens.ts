import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { counted, type Row } from '../target/rows.ts'
import { Target } from '../target/target.ts'
import { type Asking, keptAgent } from '../target/wire.ts'
import type { Attack, AttackContext } from './attack.ts'
import { forgeriesOf, type Json, SigningKey } from './forgeries.ts'

const LIST = 'GET /users'
const HOUR = 3_600
/** What a caller who was not recognised is answered. 503: a key may yet come. */
const NOT_RECOGNISED = [400, 401, 431, 503]

/** An identity provider with these keys. It counts requests for anything that only a forger names. */
class CountingProvider implements AsyncDisposable {
  readonly lured: string[] = []
  readonly #server: Server

  private constructor(keys: readonly Json[]) {
    this.#server = createServer(({ url = '' }, response) => {
      const answers: Readonly<Record<string, Json>> = {
        '/.well-known/openid-configuration': { issuer: this.issuer, jwks_uri: `${this.issuer}/keys` },
        '/keys': { keys },
      }
      if (answers[url] === undefined) this.lured.push(url)
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answers[url] ?? { keys }))
    })
  }

  static async open(keys: readonly Json[]): Promise<CountingProvider> {
    const provider = new CountingProvider(keys)
    await once(provider.#server.listen(0, '127.0.0.1'), 'listening')
    return provider
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const claimsOf = (issuer: string): Json => {
  const now = Math.floor(Date.now() / 1_000)
  return { iss: issuer, aud: 'rollcall', sub: 'root', jti: 'forged', iat: now - 60, exp: now + HOUR, roles: ['admin'] }
}

/** A genuine token in places where none is read. */
const misplaced = (token: string): Readonly<Record<string, readonly [line: string, asking: Asking]>> => ({
  query: [`${LIST}?access_token=${token}`, {}],
  cookie: [LIST, { headers: { Cookie: `access_token=${token}` } }],
  form: ['POST /subscriptions/1/end', { form: { access_token: token } }],
  twice: [LIST, { headers: { Authorization: [`Bearer ${token}`, `Bearer ${token}`] } }],
  'another scheme': [LIST, { headers: { Authorization: `Token ${token}` } }],
  'Proxy-Authorization': [LIST, { headers: { 'Proxy-Authorization': `Bearer ${token}` } }],
  'X-Access-Token': [LIST, { headers: { 'X-Access-Token': token } }],
})

const attacked = async (target: Target, whose: string, keys: readonly SigningKey[], issuer: string, canary: string) => {
  const claims = claimsOf(issuer)
  const agent = keptAgent()
  const requireGenuine = async (): Promise<void> => {
    for (const key of keys) {
      const { status } = await target.ask(LIST, { token: key.token(claims) })
      // Then forged ones are refused, too, for another reason.
      if (status !== 200) throw new Error(`a genuine ${key.algorithm} token is answered ${status}`)
    }
  }
  await requireGenuine()
  const forged = Object.entries(Object.assign({}, ...keys.map((key) => forgeriesOf({ key, claims, canary }))))
  const places = Object.entries(misplaced(keys[0]?.token(claims) ?? ''))
  const through = async (tries: readonly (readonly [name: string, line: string, asking: Asking])[]) => {
    const answers = await Promise.all(
      tries.map(async ([name, line, asking]) => ({ name, ...(await target.ask(line, { agent, ...asking })) })),
    )
    return answers
      .filter(({ status }) => !NOT_RECOGNISED.includes(status))
      .map(({ name, status }) => `${name} (${status})`)
  }
  const rows = [
    counted(
      `${whose} tokens that are forged, accepted`,
      forged.length,
      await through(forged.map(([name, token]) => [name, LIST, { token: `${token}` }])),
    ),
    counted(
      `${whose} tokens in another place, accepted`,
      places.length,
      await through(places.map(([name, [line, asking]]) => [name, line, asking])),
    ),
  ]
  agent.destroy()
  // What came between must not have made the service refuse everybody.
  await requireGenuine()
  return rows
}

/** Tokens that were not issued for this service, each of which would make an administrator. */
export const tokens: Attack = {
  name: 'tokens',
  stores: ['sqlite'],
  run: async (context: AttackContext): Promise<readonly Row[]> => {
    const own = new SigningKey('EdDSA', 'one')
    const keys = [new SigningKey('RS256', 'rsa'), new SigningKey('ES256', 'ec'), new SigningKey('EdDSA', 'ed')]
    await using provider = await CountingProvider.open(keys.map(({ publicJwk }) => publicJwk))
    await using first = await Target.open(context, { SIGNING_KEYS: JSON.stringify({ keys: [own.privateJwk] }) })
    await using second = await Target.open(context, { AUTH_ISSUER: provider.issuer, AUTH_AUDIENCE: 'rollcall' })
    return [
      ...(await attacked(first, 'own', [own], 'rollcall', provider.issuer)),
      ...(await attacked(second, "a provider's", keys, provider.issuer, provider.issuer)),
      counted('requests to addresses in tokens', 4, provider.lured),
    ]
  },
}
