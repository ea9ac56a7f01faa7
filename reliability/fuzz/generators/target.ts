import type { Random } from '../../../proving/shared/random.ts'
import { METHODS, PATHS, QUERY_NAMES } from '../dictionary.ts'
import type { RequestInput, Surroundings } from '../input.ts'
import { mutatedText } from '../mutate.ts'
import { requestBytes } from './request.ts'
import { anyAddress, anyFeed, anyLink, anySubscription, anyText, anyUser } from './values.ts'

const FILLINGS: Readonly<Record<string, (random: Random, around: Surroundings) => string>> = {
  address: anyAddress,
  feed: anyFeed,
  link: anyLink,
  subscription: anySubscription,
  user: anyUser,
  webhook: anyFeed,
}

/** A text for a path or a query, mostly well escaped. */
const escaped = (random: Random, text: string): string =>
  random.oneIn(6)
    ? text.replaceAll(' ', '+')
    : [...Buffer.from(text)]
        .map((byte) => {
          const plain = /[\w.~-]/.test(String.fromCharCode(byte)) && !random.oneIn(20)
          return plain ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`
        })
        .join('')

export const filled = (random: Random, around: Surroundings, path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, kind: string) => escaped(random, FILLINGS[kind]?.(random, around) ?? ''))

/** Like a cursor, with other content. */
const cursor = (random: Random, around: Surroundings): string => {
  const parts = Array.from({ length: random.few(4) }, () =>
    random.oneIn(2) ? anyText(random, around) : random.below(2 ** 32),
  )
  const text = random.oneIn(2) ? JSON.stringify(parts) : parts.join(random.pick([':', ',', '|', '\0']))
  return Buffer.from(text).toString(random.pick(['base64url', 'base64', 'hex']))
}

const queryValue = (random: Random, around: Surroundings, name: string): string => {
  if (random.oneIn(3)) return anyText(random, around)
  if (name === 'cursor' || name === 'after') return cursor(random, around)
  if (name === 'limit') return String(random.below(210))
  if (name === 'feed') return anyFeed(random, around)
  if (name === 'email' || name === 'query') return anyAddress(random, around)
  return random.pick(['pending', 'confirmed', 'ended', 'erase', 'keep', 'ndjson', 'csv', 'admin', 'send', 'true'])
}

const anyQuery = (random: Random, around: Surroundings): string => {
  if (random.oneIn(3)) return ''
  const pairs = Array.from({ length: random.few(5) }, () => {
    const name = random.pick(QUERY_NAMES)
    return `${name}=${escaped(random, queryValue(random, around, name))}`
  })
  return `?${pairs.join('&')}`
}

export const targetInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const { admin, auditor, noRoles } = around.credentials
  const method = random.pick(METHODS)
  let target = filled(random, around, random.pick(PATHS)) + anyQuery(random, around)
  if (random.oneIn(5)) target = mutatedText(random, target)
  if (random.oneIn(30)) target = `http://${mutatedText(random, 'localhost:8080')}${target}`
  const requestId = `target-${number}`
  const headers = [
    ['Host', 'localhost'],
    ['X-Request-Id', requestId],
    ['Authorization', `Bearer ${random.pick([admin, admin, auditor, noRoles])}`],
    ['Accept', random.pick(['*/*', 'text/html', 'application/json'])],
  ] as const
  const bytes = requestBytes({ method, target, headers })
  return { kind: 'target', number, bytes, method, requestId, expected: undefined }
}
