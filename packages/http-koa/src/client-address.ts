import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * The client's address, cut to the network it came from: /24 for IPv4, /48 for IPv6. Undefined where it is not known.
 * @param trustProxy how many proxies in front are believed; the address is the one that the outermost of them saw
 */
export const clientNetworkOf = (req: IncomingMessage, trustProxy: number): string | undefined => {
  const address = trustProxy === 0 ? req.socket.remoteAddress : behindProxies(req, trustProxy)
  return address === undefined ? undefined : networkOf(address)
}

const behindProxies = ({ headers, socket }: IncomingMessage, trustProxy: number): string | undefined => {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const hops = [...forwarded.split(',').map(withoutPort), socket.remoteAddress ?? ''].filter((hop) => hop !== '')
  return hops[Math.max(0, hops.length - 1 - trustProxy)]
}

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/

const withoutPort = (hop: string): string => {
  const text = hop.trim()
  const found = WITH_PORT.exec(text)
  return found?.[1] ?? found?.[2] ?? text
}

export const networkOf = (address: string): string | undefined => {
  const bare = address.split('%')[0] ?? ''
  const family = isIP(bare)
  if (family === 0) return undefined
  if (family === 4) return `${bare.split('.').slice(0, 3).join('.')}.0/24`
  const groups = groupsOf(bare)
  if (isMapped(groups)) {
    const high = groups[6] ?? 0
    return `${high >> 8}.${high & 255}.${(groups[7] ?? 0) >> 8}.0/24`
  }
  const prefix = groups.slice(0, 3).map((group) => group.toString(16))
  return `${prefix.join(':').replace(/(?::0)+$/, '')}::/48`
}

const isMapped = (groups: readonly number[]): boolean =>
  groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)

const DOTTED_END = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/

/** The eight groups of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  const pure = address.replace(DOTTED_END, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = '', tail = ''] = pure.split('::')
  const front = numbersIn(head)
  const back = numbersIn(tail)
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back]
}

const numbersIn = (groups: string): number[] =>
  groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16))
