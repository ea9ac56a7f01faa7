import { MalformedRequest } from '@rollcall/core'
import { HttpError } from '../http-error.ts'

/** What was wrong with bytes that Node could make no request of. */
export const parseFailure = (error: Error & { readonly code?: string }): Error => {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('RequestTimeout', 'The request took too long to arrive. Send it again, faster.')
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('HeadersTooLarge', 'Send at most 16 KiB of header fields.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError('PayloadTooLarge', 'Leave out the chunk extensions.')
    default:
      return new MalformedRequest('This is not HTTP/1.1 as RFC 9112 has it. Correct the request and send it again.')
  }
}
