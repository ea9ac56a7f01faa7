import type { IncomingMessage } from 'node:http'
import { ConsoleError } from '../console-error.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/**
 * The origin that the browser has the console under: its own, or a loopback name with our port, through a tunnel say. A
 * page elsewhere that has its own name point here (DNS rebinding) sends that name.
 * @throws {ConsoleError} another host was meant, or it is not said which
 */
export const requestOrigin = (
  { headers, headersDistinct, socket }: Pick<IncomingMessage, 'headers' | 'headersDistinct' | 'socket'>,
  url: string,
): string => {
  if (headersDistinct.host?.length !== 1)
    throw new ConsoleError('MalformedRequest', 'Send one Host header field (RFC 9112 section 3.2).')
  const host = (headers.host ?? '').toLowerCase()
  const own = new URL(url)
  if (host === own.host) return own.origin
  const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  const isOwnPage = own.protocol === 'https:' && headers.origin === own.origin
  if (LOOPBACK.test(name) && Number(port || 80) === socket.localPort && !isOwnPage) return `http://${host}`
  if (isOwnPage)
    throw new ConsoleError('MisdirectedRequest', 'The proxy in front must pass on the Host that the browser sends.')
  throw new ConsoleError('MisdirectedRequest', `This is the console of another host. Open ${own.origin}.`)
}

/**
 * Refuses what another site's page had the browser send.
 * @throws {ConsoleError}
 */
export const requireOwnPage = ({ headers }: Pick<IncomingMessage, 'headers'>, origin: string): void => {
  const { 'sec-fetch-site': site, origin: from } = headers
  const isOwn = site === undefined ? from === origin : site === 'same-origin'
  if (!isOwn)
    throw new ConsoleError('ForeignRequest', 'This form is not of the console. Open the console and do it there.')
}
