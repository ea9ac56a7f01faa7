/** What a report says of a mail that was not delivered. */
export interface ReportedFailure {
  /** Whether it was final, as far as the reporter says; a status has the last word. */
  readonly permanent: boolean
  /** An enhanced status code (RFC 3463), such as `5.1.1`. */
  readonly status: string | undefined
  /** The words of the server that refused the mail. Never stored: they may name the address. */
  readonly diagnostic?: string | undefined
}

export interface Judgement {
  /** Undefined if the report says nothing about the address. */
  readonly meaning: 'permanent' | 'temporary' | undefined
  /** The status that it was judged by; undefined if there was none. */
  readonly status: string | undefined
}

/** There is no such mailbox, or no such domain, or it is switched off. */
const NO_MAILBOX: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])
/** The same for now; or a mailbox that is full, or cannot be written to. */
const NOT_NOW: ReadonlySet<string> = new Set([
  ...['4.1.1', '4.1.2', '4.1.3', '4.1.6', '4.1.10', '4.2.0', '4.2.1', '4.2.2'],
  ...['5.2.0', '5.2.2'],
])

/**
 * Whether a failure counts against the address. What is not listed does not count: a receiver that refuses the sender or
 * the content, a server or a network in trouble, an automatic reply.
 */
export const judgeFailure = ({ permanent, status, diagnostic = '' }: ReportedFailure): Judgement => {
  const found = isNone(status) ? statusIn(diagnostic) : status
  if (found === '5.4.1' && /recipient address rejected/i.test(diagnostic))
    return { meaning: 'permanent', status: undefined }
  if (found !== undefined)
    return {
      meaning: NO_MAILBOX.has(found) ? 'permanent' : NOT_NOW.has(found) ? 'temporary' : undefined,
      status: found,
    }
  const isOver = permanent && (replyIn(diagnostic) ?? status ?? '5').startsWith('5')
  return { meaning: isOver ? 'permanent' : undefined, status: undefined }
}

/** `X.0.0` says no more than the first digit of a reply does. */
const isNone = (status: string | undefined): boolean => status === undefined || /^\d\.0\.0$/.test(status)

const ENHANCED = /(?<![\d.])[45]\.(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,2})(?!\.?\d)/g
/** Where a server's own words begin. */
const REPLY = /(?:^|[;:])[ \t]*((?:4[2-5]|5[0-5])\d)(?=[ \t-])/m

const replyIn = (words: string): string | undefined => REPLY.exec(words)?.[1]

/** The first status in a server's own words; of its reply alone, only that the mailbox is full. */
export const statusIn = (words: string): string | undefined =>
  words.match(ENHANCED)?.find((one) => !isNone(one)) ?? (replyIn(words) === '552' ? '5.2.2' : undefined)
