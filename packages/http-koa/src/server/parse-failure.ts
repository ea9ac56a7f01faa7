import { MalformedRequest } from '@rollcall/core'
import { HttpError } from '../http-error.ts'
import { EVERY_METHOD, KNOWN_METHODS } from '../methods.ts'

/** Node's error for bytes that it could not parse as a request. */
export interface ParseError extends Error {
  readonly code?: string
  /** The last bytes received, and how many of them were parsed. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** What is wrong with bytes that Node could not parse as a request. */
export const parseFailure = (error: ParseError): Error => {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('RequestTimeout', 'The request took too long to arrive. Send it again, faster.')
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('HeadersTooLarge', 'Send at most 16 KiB of header fields.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError('PayloadTooLarge', 'Leave out the chunk extensions.')
    case 'HPE_INVALID_METHOD':
      return hasUnknownMethod(error)
        ? noSuchMethod()
        : new MalformedRequest(
            'This does not begin as an HTTP/1.1 request, or its method is not known. Correct it and send it again.',
          )
    case 'HPE_INVALID_CONSTANT':
      return hasUnknownMethod(error) ? noSuchMethod() : notHttp()
    default:
      return notHttp()
  }
}

const ALLOW = EVERY_METHOD.join(', ')

/** The error for a method that no endpoint has. */
export const noSuchMethod = (): HttpError =>
  new HttpError('MethodNotAllowed', `Use one of these methods: ${ALLOW}.`, { Allow: ALLOW })

const notHttp = () =>
  new MalformedRequest('This is not a valid HTTP/1.1 request (RFC 9112). Correct it and send it again.')

const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) [^\s]+ HTTP\/1\.[01]$/

/** Whether the line at which Node stopped is valid except for its method. */
const hasUnknownMethod = ({ rawPacket, bytesParsed = 0 }: ParseError): boolean => {
  if (rawPacket === undefined) return false
  const before = rawPacket.lastIndexOf('\r\n', bytesParsed)
  const begin = before < 0 ? 0 : before + 2
  const end = rawPacket.indexOf('\r\n', begin)
  if (end < 0) return false
  const method = REQUEST_LINE.exec(rawPacket.toString('latin1', begin, end))?.[1]
  return method !== undefined && !KNOWN_METHODS.includes(method)
}
