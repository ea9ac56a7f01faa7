import type { Random } from '../../random.ts'
import type { RequestInput, Surroundings } from '../input.ts'
import { mutated } from '../mutate.ts'
import { requestBytes } from './request.ts'
import { anyText } from './values.ts'

const PURPOSES = ['confirm', 'refuse', 'unsubscribe', 'preferences'] as const

/** Links that differ a little from mailed ones. */
export const linkInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const [purpose = '', token = ''] = (random.pickIfAny(around.links) ?? 'confirm/1.0').split('/')
  const as = random.oneIn(3) ? random.pick(PURPOSES) : purpose
  const changed = changedToken(random, around, token)
  const isGood = as === purpose && changed === token
  const method = random.pick(['GET', 'HEAD', 'POST'])
  const body = method === 'POST' ? Buffer.from('action=erase') : undefined
  const requestId = `link-${number}`
  const headers = [
    ['Host', 'localhost'],
    ['X-Request-Id', requestId],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Accept', random.pick(['text/html', '*/*'])],
  ] as const
  const target = `/${as}/${isGood ? '0' : changed}`
  const bytes = requestBytes({ method, target, headers, body })
  return { kind: 'link', number, bytes, method, requestId, expected: [400, 404, 405, 431] }
}

const changedToken = (random: Random, around: Surroundings, token: string): string => {
  switch (random.below(4)) {
    case 0:
      return withOtherDigit(random, token)
    case 1:
      return `${token.slice(0, token.lastIndexOf('.') + 1)}${encodeURIComponent(safely(anyText(random, around)))}`
    case 2:
      return token.toUpperCase()
    default:
      return encodeURIComponent(safely(mutated(random, Buffer.from(token)).toString('utf8')))
  }
}

/** Without lone surrogates, which nothing can escape. */
const safely = (text: string): string => text.toWellFormed()

const withOtherDigit = (random: Random, token: string): string => {
  const at = random.below(token.length)
  return token.slice(0, at) + '0123456789abcdef'.charAt(random.below(16)) + token.slice(at + 1)
}
