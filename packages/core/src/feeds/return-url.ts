import { InvalidInput } from '../errors.ts'
import type { DomainNames } from '../platform/domain-names.ts'

const LONGEST = 2_000
const MOST = 10

// Only characters of RFC 3986: every browser reads them alike, and no header field breaks.
const ESCAPE = '%[0-9a-f]{2}'
const PATH_CHARACTERS = `(?:[a-z0-9._~!$&'()*+,;=:@/-]|${ESCAPE})*`
const QUERY = `(?:[a-z0-9._~!$&'()*+,;=:@/?-]|${ESCAPE})*`
const HOST = '(?<host>[a-z0-9._-]+|\\[[0-9a-f:.]+\\])'
const URL = new RegExp(
  `^(?<scheme>https?)://${HOST}(?::(?<port>[0-9]{1,5}))?(?:/${PATH_CHARACTERS})?(?:\\?${QUERY})?$`,
  'i',
)
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)
/** A last label that browsers take for part of a number. */
const NUMERIC = /^(?:[0-9]+|0x[0-9a-f]*)$/
const LONGEST_HOST = 253

const LOOPBACK = /^(?:127(?:\.[0-9]+){3}|\[::1\]|(?:.+\.)?localhost)$/

/**
 * Where browsers are sent back to: kept exactly as given.
 * @throws {InvalidInput} it is not absolute, not https (or http on this very machine), names a person, has a fragment,
 * or is too long
 * @see RFC 3986
 */
export const parseReturnUrl = (url: string, domainNames: DomainNames, field: string): string => {
  const problem = problemWith(url, domainNames)
  if (problem !== undefined) throw new InvalidInput([{ field, message: problem }])
  return url
}

/**
 * Several of them, each once.
 * @throws {InvalidInput} one of them is not valid, or there are too many
 */
export const parseReturnUrls = (
  urls: readonly string[],
  domainNames: DomainNames,
  field: string,
): readonly string[] => {
  const different = [...new Set(urls)]
  if (different.length > MOST) throw new InvalidInput([{ field, message: `Give at most ${MOST} URLs.` }])
  return different.map((url) => parseReturnUrl(url, domainNames, field))
}

const problemWith = (url: string, domainNames: DomainNames): string | undefined => {
  const problem = problemWithUrl(url, domainNames)
  if (problem !== undefined) return problem
  const { scheme = '', host = '' } = URL.exec(url)?.groups ?? {}
  if (scheme.toLowerCase() === 'http' && !LOOPBACK.test(host.toLowerCase()))
    return 'Use https. Only for hosts on this very machine, such as localhost, http will do.'
  return undefined
}

/** What is wrong with it as an absolute http or https URL that names no person; undefined if nothing is. */
export const problemWithUrl = (url: string, domainNames: DomainNames): string | undefined => {
  if (url.length > LONGEST) return `Use URLs of at most ${LONGEST} characters.`
  const { scheme = '', host = '', port } = URL.exec(url)?.groups ?? {}
  if (scheme === '')
    return 'Give an absolute URL such as https://example.com/thanks, without user, password or fragment, and escape what is not ASCII.'
  const name = host.toLowerCase()
  if (!isHost(name, domainNames)) return 'Give a URL whose host is a domain name (as A-labels) or an IP address.'
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return 'Give a port from 1 to 65535.'
  return undefined
}

const isHost = (host: string, domainNames: DomainNames): boolean => {
  if (host.startsWith('[')) return isIpv6(host.slice(1, -1))
  const labels = host.split('.')
  if (NUMERIC.test(labels.at(-1) ?? '')) return IPV4.test(host)
  if (host.length > LONGEST_HOST || !labels.every((label) => LABEL.test(label))) return false
  return !host.includes('xn--') || domainNames.toAscii(host) === host
}

/** RFC 4291 section 2.2: eight groups, a run of which may be left out once; the last two may be written as IPv4. */
const isIpv6 = (address: string): boolean => {
  const halves = address.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const mapped = last.includes('.')
  if (mapped && (!IPV4.test(last) || address.endsWith('::'))) return false
  const plain = mapped ? groups.slice(0, -1) : groups
  const count = plain.length + (mapped ? 2 : 0)
  return plain.every((group) => /^[0-9a-f]{1,4}$/.test(group)) && (halves.length === 2 ? count < 8 : count === 8)
}
