import { parseHttpDate, parseRetryAfter } from '@rollcall/platform-node'

/** Milliseconds that a server asks to wait; a date is compared to its own clock, where it says what that shows. */
export const retryAfter = (headers: Headers): number | undefined =>
  parseRetryAfter(headers.get('Retry-After'), parseHttpDate(headers.get('Date') ?? '') ?? Date.now())
