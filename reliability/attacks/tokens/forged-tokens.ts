import { type Attack, type AttackContext, counted, type Figure } from '../attack.ts'
import { askOnce } from '../raw.ts'
import { Target } from '../target.ts'
import { CountingProvider } from './counting-provider.ts'
import { FORGERIES, type Forgery, type ForgeryOrder } from './forgeries.ts'
import { type Json, SigningKey } from './signing.ts'

const LIST = 'GET /users'
const HOUR = 3_600
/** At once; each has a connection of its own. */
const AT_ONCE = 20
/** What a caller who was not recognised is answered. 503: a key may yet come. */
const NOT_RECOGNISED = [400, 401, 431, 503]

const bearer = (token: string): string => `Authorization: Bearer ${token}`

/** Names of those that were taken for an administrator, or for anybody. */
const accepted = async (target: Target, forgeries: readonly Forgery[]): Promise<string[]> => {
  const through: string[] = []
  const queue = forgeries.values()
  const work = async (): Promise<void> => {
    for (const { name, token } of queue) {
      const status = await askOnce(target.port, LIST, [bearer(token)])
      if (!NOT_RECOGNISED.includes(status)) through.push(`${name} (${status})`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return through
}

/** A genuine token in a place where none is read. */
const misplaced = async ({ port }: Target, token: string): Promise<Figure> => {
  const places: readonly (readonly [string, string, readonly string[], string])[] = [
    ['query', `${LIST}?access_token=${token}`, [], ''],
    ['cookie', LIST, [`Cookie: access_token=${token}`], ''],
    ['form', 'POST /subscriptions/1/end', ['Content-Type: application/x-www-form-urlencoded'], `access_token=${token}`],
    ['twice', LIST, [bearer(token), bearer(token)], ''],
    ['another scheme', LIST, [`Authorization: Token ${token}`], ''],
    ['Proxy-Authorization', LIST, [`Proxy-Authorization: Bearer ${token}`], ''],
    ['X-Access-Token', LIST, [`X-Access-Token: ${token}`], ''],
  ]
  const through: string[] = []
  for (const [name, line, fields, body] of places)
    if (!NOT_RECOGNISED.includes(await askOnce(port, line, fields, body))) through.push(name)
  return counted('accepted from another place', places.length, through)
}

const claimsOf = (issuer: string): Json => {
  const now = Math.floor(Date.now() / 1_000)
  return { iss: issuer, aud: 'rollcall', sub: 'root', jti: 'forged', iat: now - 60, exp: now + HOUR, roles: ['admin'] }
}

/** @throws {Error} a genuine token is refused: then forged ones are, too, for another reason */
const requireGenuine = async (target: Target, { keys, claims }: ForgeryOrder): Promise<void> => {
  for (const key of keys) {
    const status = await askOnce(target.port, LIST, [bearer(key.token(claims))])
    if (status !== 200) throw new Error(`a genuine ${key.algorithm} token is answered ${status}`)
  }
}

const attacked = async (target: Target, order: ForgeryOrder): Promise<readonly Figure[]> => {
  const [key] = order.keys
  if (key === undefined) throw new Error('there is no key')
  const issuer = order.own ? 'own' : "a provider's"
  await requireGenuine(target, order)
  const figures: Figure[] = []
  for (const [family, make] of Object.entries(FORGERIES)) {
    const forgeries = make(order)
    figures.push(counted(`${issuer} tokens ${family}, accepted`, forgeries.length, await accepted(target, forgeries)))
  }
  // What came between must not have made the service refuse everybody.
  await requireGenuine(target, order)
  return [...figures, await misplaced(target, key.token(order.claims))]
}

const againstOwnKeys = async (context: AttackContext): Promise<readonly Figure[]> => {
  const key = new SigningKey('EdDSA', 'one')
  await using canary = await CountingProvider.open([])
  await using target = await Target.open(context, { SIGNING_KEYS: JSON.stringify({ keys: [key.privateJwk] }) })
  const order = { keys: [key], claims: claimsOf('rollcall'), canary: canary.issuer, own: true }
  const figures = await attacked(target, order)
  return [...figures, counted('requests to addresses in own tokens', 3, canary.lured)]
}

const againstProvider = async (context: AttackContext): Promise<readonly Figure[]> => {
  const keys = [new SigningKey('RS256', 'rsa'), new SigningKey('ES256', 'ec'), new SigningKey('EdDSA', 'ed')]
  await using provider = await CountingProvider.open(keys.map(({ publicJwk }) => publicJwk))
  await using target = await Target.open(context, { AUTH_ISSUER: provider.issuer, AUTH_AUDIENCE: 'rollcall' })
  const order = { keys, claims: claimsOf(provider.issuer), canary: provider.issuer, own: false }
  const figures = await attacked(target, order)
  return [...figures, counted("requests to addresses in a provider's tokens", 3, provider.lured)]
}

/** Tokens that were not issued for this service, each of which would make an administrator. */
export const tokens: Attack = {
  name: 'tokens',
  stores: ['sqlite'],
  run: async (context) => [...(await againstOwnKeys(context)), ...(await againstProvider(context))],
}
