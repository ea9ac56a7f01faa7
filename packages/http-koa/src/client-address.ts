import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { ConsentSource } from '@rollcall/core'
import type { RouteContext } from './exchange.ts'
import type { HttpOptions } from './http-options.ts'

/**
 * The network of the client's address: /24 for IPv4, /48 for IPv6. Undefined if the address is not known.
 * @param trustProxy how many proxies in front are trusted; the address is the one that the outermost of them saw
 */
const clientNetworkOf = (req: IncomingMessage, trustProxy: number): string | undefined =>
  networkOf(hopsTo(req, trustProxy).at(-1) ?? '')

/**
 * Identifies a client: by its IPv4 address, or by the /64 of its IPv6 address, the smallest block that a client gets.
 * If what a proxy saw is not an address, the proxy is identified instead, so that invalid values make no new clients.
 */
export const clientKeyOf = (req: IncomingMessage, trustProxy: number): string =>
  ofFarthestHop(req, trustProxy, keyOf) ?? 'unknown'

/** Identifies the network of a client, the /24 or /48, by the same hop as the client itself. */
export const networkKeyOf = (req: IncomingMessage, trustProxy: number): string =>
  ofFarthestHop(req, trustProxy, networkOf) ?? 'unknown'

const ofFarthestHop = (
  req: IncomingMessage,
  trustProxy: number,
  read: (hop: string) => string | undefined,
): string | undefined => {
  let farthest: string | undefined
  for (const hop of hopsTo(req, trustProxy)) {
    const next = read(hop)
    if (next === undefined) break
    farthest = next
  }
  return farthest
}

/** Whom a site's own server names in place of itself. */
const VISITORS = new WeakMap<IncomingMessage, string>()

/** Takes this address for that of the client from now on; false if it is none. */
export const nameVisitor = (req: IncomingMessage, address: string): boolean => {
  if (networkOf(address) === undefined) return false
  VISITORS.set(req, address)
  return true
}

export const isVisitorNamed = (req: IncomingMessage): boolean => VISITORS.has(req)

/** From the nearest to the farthest trusted hop: the connected peer, the peer that it saw, and so on. */
const hopsTo = (req: IncomingMessage, trustProxy: number): string[] => {
  const visitor = VISITORS.get(req)
  if (visitor !== undefined) return [visitor]
  const { headers, socket } = req
  const nearest = socket.remoteAddress ?? ''
  if (trustProxy === 0) return [nearest]
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const hops = nearest === '' ? [] : [nearest]
  // The entries of trusted proxies are the last ones; how many a client puts in front must not matter.
  let trusted = 0
  for (let end = forwarded.length; end >= 0 && trusted < trustProxy; ) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(',', end - 1)
    const hop = forwarded.slice(comma + 1, end).trim()
    if (hop !== '') trusted = hops.push(withoutPort(hop)) - (nearest === '' ? 0 : 1)
    end = comma
  }
  return hops
}

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/

const withoutPort = (hop: string): string => {
  const found = WITH_PORT.exec(hop)
  return found?.[1] ?? found?.[2] ?? hop
}

/** The network, /24 or /48, of an address; undefined if it is not an address. */
export const networkOf = (address: string): string | undefined => {
  const found = read(address)
  if (found === undefined) return undefined
  if (typeof found === 'string') return `${found.slice(0, found.lastIndexOf('.'))}.0/24`
  return `${hex(found.slice(0, 3)).replace(/(?::0)+$/, '')}::/48`
}

const keyOf = (address: string): string | undefined => {
  const found = read(address)
  return found === undefined || typeof found === 'string' ? found : hex(found.slice(0, 4))
}

/** An IPv4 address, also one mapped into IPv6, as text; an IPv6 address as its eight groups; else undefined. */
const read = (address: string): string | readonly number[] | undefined => {
  const zone = address.indexOf('%')
  const bare = zone < 0 ? address : address.slice(0, zone)
  const family = isIP(bare)
  if (family === 0) return undefined
  if (family === 4) return bare
  const groups = groupsOf(bare)
  if (!isMapped(groups)) return groups
  const [high = 0, low = 0] = groups.slice(6)
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

const hex = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(':')

const isMapped = (groups: readonly number[]): boolean =>
  groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)

/** The eight groups of an IPv6 address. A URL has it without a dotted end. */
const groupsOf = (address: string): number[] => {
  const [front = [], back = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back]
}

/** What is stored as evidence of a request: how it came, from which network, with which user agent. */
export const consentSourceOf = (
  { req }: RouteContext,
  { trustProxy }: Pick<HttpOptions, 'trustProxy'>,
  via: 'form' | 'json' | 'page' | 'link' | 'one-click' | 'preferences',
): ConsentSource => ({
  via,
  clientAddress: clientNetworkOf(req, trustProxy),
  userAgent: req.headers['user-agent'] || undefined,
})
