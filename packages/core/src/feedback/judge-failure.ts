import { LONGEST_WORDS, refusalCause, saysNoMailbox } from './refusal-words.ts'

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
const NOT_NOW: ReadonlySet<string> = new Set(['4.1.1', '4.1.2', '4.1.3', '4.1.6', '4.1.10', '4.2.1'])
const IS_FULL: ReadonlySet<string> = new Set(['4.2.2', '5.2.2'])
/** About the mailbox, and no more is said: also if a receiver refuses the content. */
const OF_MAILBOX: ReadonlySet<string> = new Set(['4.2.0', '5.2.0'])

/**
 * Whether a failure counts against the address. What is not listed does not count: a receiver that refuses the sender or
 * the content, a server or a network in trouble, an automatic reply.
 */
export const judgeFailure = ({ permanent, status, diagnostic: words = '' }: ReportedFailure): Judgement => {
  const diagnostic = words.slice(0, LONGEST_WORDS)
  const found = statusBehind(status, diagnostic)
  const cause = refusalCause(diagnostic)
  if (found === '5.4.1' && /recipient address rejected/i.test(diagnostic)) return BY_WORDS
  if (found !== undefined && IS_FULL.has(found)) return { meaning: 'temporary', status: found }
  if (found !== undefined && (NO_MAILBOX.has(found) || NOT_NOW.has(found))) {
    // Many servers have one status for all that they refuse, and say in words what it was.
    // A mailbox that is switched off may be so for an hour: then whatever else is said has the last word.
    const isCertain = found !== '5.2.1' && saysNoMailbox(diagnostic)
    const isOther = !isCertain && (cause === 'full' || cause === 'something-else')
    if (isOther) return cause === 'full' ? FULL : NOTHING
    return { meaning: NO_MAILBOX.has(found) ? 'permanent' : 'temporary', status: found }
  }
  if (cause === 'full' && ((permanent && isGeneric(found)) || OF_MAILBOX.has(found ?? ''))) return FULL
  const isOver = permanent && (replyIn(diagnostic) ?? found ?? status ?? '5').startsWith('5')
  if (isOver && isGeneric(found) && cause === 'no-mailbox') return BY_WORDS
  if (found !== undefined && OF_MAILBOX.has(found))
    return cause === 'no-mailbox' || diagnostic.trim() === '' ? { meaning: 'temporary', status: found } : NOTHING
  if (found !== undefined) return { meaning: undefined, status: found }
  return isOver && cause !== 'something-else' ? BY_WORDS : NOTHING
}

/** By which status a failure is judged: a server's own, in its words, says more than one that is generic or mistaken. */
const statusBehind = (status: string | undefined, diagnostic: string): string | undefined => {
  if (isGeneric(status)) return statusIn(diagnostic) ?? known(status)
  const said = status !== undefined && NO_MAILBOX.has(status) ? statusIn(diagnostic) : undefined
  return said === undefined || isGeneric(said) ? status : said
}

/** Means the same without the words. */
const BY_WORDS: Judgement = { meaning: 'permanent', status: undefined }
const FULL: Judgement = { meaning: 'temporary', status: '5.2.2' }
const NOTHING: Judgement = { meaning: undefined, status: undefined }

/** `X.0.0` says no more than the first digit of a reply does; the other is what one server calls a refusal by another. */
const isNone = (status: string | undefined): boolean =>
  status === undefined || /^\d\.0\.0$/.test(status) || status === '5.0.350'

const known = (status: string | undefined): string | undefined => (isNone(status) ? undefined : status)

/** Says what is concerned, and nothing of what is the matter; the words may. */
const isGeneric = (status: string | undefined): boolean =>
  isNone(status) || /^(?:[45]\.2\.0|5\.(?:[1345]\.0|1\.351))$/.test(status ?? '')

const ENHANCED = /(?<![\d.])[45]\.(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,2})(?!\.?\d)/g
/** Where a server's own words begin. */
const REPLY = /(?:^|[;:'"])[ \t]*((?:4[2-5]|5[0-5])\d)(?=[ \t-])/m

/** The code of a reply in a server's own words. */
export const replyIn = (words: string): string | undefined => REPLY.exec(words)?.[1]

/** The first status in a server's own words that says more than a reply does; else any that is not none. */
const statusIn = (words: string): string | undefined => {
  const all = words.match(ENHANCED) ?? []
  const found = all.find((one) => !isGeneric(one)) ?? all.find((one) => !isNone(one))
  return found ?? (replyIn(words) === '552' && ['full', 'unknown'].includes(refusalCause(words)) ? '5.2.2' : undefined)
}
