import type { Random } from '../../../proving/shared/random.ts'
import { METHODS } from '../dictionary.ts'
import type { StreamInput, Surroundings } from '../input.ts'
import { mutated } from '../mutate.ts'
import { bodyInput } from './body.ts'
import { targetInput } from './target.ts'

/** Fields that decide where a request ends, valid or not. */
const FRAMINGS: readonly [string, ...string[]] = [
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length: 99999999999999999999',
  'Content-Length: -1',
  'Content-Length: 0x5',
  'Content-Length : 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding:\n chunked',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Upgrade',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Trailer: X-A',
  'TE: trailers',
  'Keep-Alive: timeout=5',
  'Host: a\r\nHost: b',
]

const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.10', '']
const LINE_ENDS = ['\r\n', '\r\n', '\r\n', '\n', '\r']

const chunk = (random: Random, text: string): string => {
  const size = random.oneIn(6)
    ? random.pick(['ffffffff', '0', '-1', '0x5', '5 ', '5;a=b', 'g'])
    : text.length.toString(16)
  return `${size}\r\n${text}${random.oneIn(10) ? '' : '\r\n'}`
}

const anyBody = (random: Random): string => {
  const text = random.pick(['email=a%40example.com', '{"email":"a@example.com"}', '', 'GET /smuggled HTTP/1.1\r\n\r\n'])
  if (random.oneIn(2)) return text
  const chunks = Array.from({ length: random.few(4) }, () => chunk(random, text)).join('')
  return `${chunks}0\r\n${random.oneIn(6) ? 'X-A: b\r\nHost: c\r\n' : ''}\r\n`
}

const builtRequest = (random: Random): Buffer => {
  const end = random.pick(LINE_ENDS)
  const framings = Array.from({ length: random.few(3) }, () => random.pick(FRAMINGS))
  const method = random.oneIn(6)
    ? random.pick(['CONNECT', 'PRI', 'QUERY', 'get', 'M-SEARCH', ''])
    : random.pick(METHODS)
  const target = random.pick(['/subscribe', '/livez', '/users', '*', 'localhost:80', 'http://localhost/livez', '/x y'])
  const lines = [
    `${method} ${target} ${random.pick(VERSIONS)}`,
    ...(random.oneIn(8) ? [] : ['Host: localhost']),
    'Content-Type: application/x-www-form-urlencoded',
    ...framings,
  ]
  return Buffer.from(`${lines.join(end ?? '\r\n')}${end}${end}${anyBody(random)}`, 'latin1')
}

const piece = (random: Random, around: Surroundings): Buffer => {
  switch (random.below(5)) {
    case 0:
      return targetInput(random, around, 0).bytes
    case 1:
      return bodyInput(random, around, 0).bytes
    case 2:
      return random.pickIfAny(around.streams) ?? builtRequest(random)
    default:
      return builtRequest(random)
  }
}

/** Bytes that may not be HTTP; many nearly are, and some are several requests. */
export const streamInput = (random: Random, around: Surroundings, number: number): StreamInput => {
  const noise = random.oneIn(40)
  const pieces = Array.from({ length: random.few(6) }, () => piece(random, around))
  const whole = noise ? random.bytes(random.below(400)) : Buffer.concat(pieces)
  const bytes = random.oneIn(2) ? mutated(random, whole) : whole
  const slow = bytes.length < 600 && random.oneIn(10)
  const way = slow ? 'bytes' : random.pick(['whole', 'whole', 'halves'] as const)
  return { kind: 'stream', number, bytes, way, ending: random.oneIn(12) ? 'reset' : 'half-close' }
}
