import { refusalCause } from './refusal-words.ts'

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

/** Anybody who got a mail of ours can report words without end, and some patterns take the square of their length. */
const LONGEST_WORDS = 16 * 1024

/**
 * Whether a failure counts against the address. What is not listed does not count: a receiver that refuses the sender or
 * the content, a server or a network in trouble, an automatic reply.
 */
export const judgeFailure = ({ permanent, status, diagnostic: words = '' }: ReportedFailure): Judgement => {
  const diagnostic = words.slice(0, LONGEST_WORDS)
  const found = isGeneric(status) ? (statusIn(diagnostic) ?? known(status)) : status
  const cause = refusalCause(diagnostic)
  if (found === '5.4.1' && /recipient address rejected/i.test(diagnostic)) return BY_WORDS
  // Of a mailbox that gets too much at a time, one server says that it is switched off.
  if (found !== undefined && /^[45]\.2\.1$/.test(found) && cause === 'something-else') return NOTHING
  if (found !== undefined && NO_MAILBOX.has(found)) return { meaning: 'permanent', status: found }
  if (found !== undefined && NOT_NOW.has(found)) return { meaning: 'temporary', status: found }
  const isOver = permanent && (replyIn(diagnostic) ?? found ?? status ?? '5').startsWith('5')
  if (found !== undefined)
    return isOver && isGeneric(found) && cause === 'no-mailbox' ? BY_WORDS : { meaning: undefined, status: found }
  if (!isOver || cause === 'something-else') return NOTHING
  return cause === 'full' ? { meaning: 'temporary', status: '5.2.2' } : BY_WORDS
}

/** Means the same without the words. */
const BY_WORDS: Judgement = { meaning: 'permanent', status: undefined }
const NOTHING: Judgement = { meaning: undefined, status: undefined }

/** `X.0.0` says no more than the first digit of a reply does; the other is what one server calls a refusal by another. */
const isNone = (status: string | undefined): boolean =>
  status === undefined || /^\d\.0\.0$/.test(status) || status === '5.0.350'

const known = (status: string | undefined): string | undefined => (isNone(status) ? undefined : status)

/** Says what is concerned, and nothing of what is the matter; the words may. */
const isGeneric = (status: string | undefined): boolean =>
  isNone(status) || /^5\.(?:[1345]\.0|1\.351)$/.test(status ?? '')

const ENHANCED = /(?<![\d.])[45]\.(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,2})(?!\.?\d)/g
/** Where a server's own words begin. */
const REPLY = /(?:^|[;:'"])[ \t]*((?:4[2-5]|5[0-5])\d)(?=[ \t-])/m

/** The code of a reply in a server's own words. */
export const replyIn = (words: string): string | undefined => REPLY.exec(words)?.[1]

/** The first status in a server's own words that says more than a reply does; else any that is not none. */
const statusIn = (words: string): string | undefined => {
  const all = words.match(ENHANCED) ?? []
  const found = all.find((one) => !isGeneric(one)) ?? all.find((one) => !isNone(one))
  return found ?? (replyIn(words) === '552' && refusalCause(words) !== 'something-else' ? '5.2.2' : undefined)
}
