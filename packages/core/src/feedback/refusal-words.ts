/**
 * What a server's words say a mail was refused for. A name that is taken for more than it means loses a reader; one that
 * is taken for less costs a mail that comes back once more.
 */
export type RefusalCause = 'no-mailbox' | 'full' | 'something-else' | 'unknown'

/** Anybody who got a mail of ours can report words without end, and some patterns take the square of their length. */
export const LONGEST_WORDS = 16 * 1024

/** Names may be anything: `spam@example.com`, `unknown_user@example.com`. */
const ADDRESS = /[^\s<>()"';:,]{1,64}@[^\s<>()"';:,]+/g

const anyOf = (...lists: readonly string[]): RegExp => new RegExp(lists.join('|'), 'i')

/** IronPort says so of every refusal. */
const OF_THE_REPORTER = /unknown address error/gi

/** The sender, its server, the content, or how much or how often: whatever else is said beside. */
const SOMETHING_ELSE = anyOf(
  'spam|unsolicited|\\bbulk\\b|(?:black|block|grey|gray) ?list|dnsbl|\\brbl\\b|reputation|\\bpolic(?:y|ies)\\b|dmarc|dkim|\\bspf\\b',
  'virus|malware|phish|suspicious|\\bcontent\\b|attachment|authenticat|relaying|relay (?:access|denied|not|is not)|(?:not|to|un\\w+|open) relay',
  'too (?:large|big|long|many|much|quickly|often|fast)|(?:message|mail|maximum|max) ?size|size limit|\\brate\\b|throttl|hops|\\bloop',
  'sender|return.path|reverse dns|\\bptr\\b|\\bhelo\\b|\\behlo\\b|\\bblocked\\b|banned|blocking|client host|service unavailable|for explanation visit',
  '\\bsending\\b|queue quota|system storage|time ?d? ?-?out|timeout|(?:message|queue|retry|delivery|time)[^.\\n]{0,30} expired|expired (?:after|in )|retry time|retries|connection|could not connect|no route|network|try (?:again|later)|temporar|all hosts|service refuse|unverified address|verification in progress',
)

const SOMEONE =
  '(?:user|recipient|mailbox|address(?:ee)?|account|person|e?-?mail|destinatario|utilisateur|empf(?:ae|ä)nger)s?'
const GONE = [
  '(?:unknown|not (?:found|known|exist|valid|recogni[sz]ed|active|available|listed|a valid|in)|invalid|disabled|inactive|de-?activated)',
  '(?:suspended|terminated|closed|discontinued|unrout\\w+|nonexist\\w*|unbekannt|inconnu|inexist\\w+|desconocid\\w+)',
  "(?:no longer|(?:does|do|did|has|have|was|were|could|can)(?: not|n['’]?t) (?:exist|be found|found|have an?|been found|match|list))",
].join('|')
const NO_MAILBOX = anyOf(
  `no such (?:\\w+ ){0,2}${SOMEONE}|(?:unknown|invalid|nonexist\\w*|non-exist\\w*|bad) (?:(?:local|virtual|destination|e-?mail) )?${SOMEONE}`,
  `\\b${SOMEONE}\\b[^.\\n]{0,60}?\\b(?:${GONE})`,
  'no (?:local )?mailbox|account (?:has |is )?expired|has no account|no account|not our customer|isn.t a (?:valid|known)|is not a (?:valid|known|member)',
  'no longer valid|mailbox unallocated|address not found|unrouteable address|can.t find (?:a )?\\w+ by that name',
)
/** Said of other refusals, too. */
const PERHAPS_NO_MAILBOX = /mailbox unavailable/i
const FULL = anyOf(
  'over ?-?quota|quota (?:is )?(?:exceeded|violation|full)|exceed\\w* (?:\\w+ ){0,3}quota|(?:mailbox|inbox|account|user|disk)[^.\\n]{0,30} (?:full|quota)',
  'insufficient (?:\\w+ )?(?:storage|space)|not enough (?:storage|space)|out of (?:storage|space)',
)

export const refusalCause = (said: string): RefusalCause => {
  const words = plain(said)
  if (SOMETHING_ELSE.test(words)) return 'something-else'
  if (FULL.test(words)) return 'full'
  return NO_MAILBOX.test(words) || PERHAPS_NO_MAILBOX.test(words) ? 'no-mailbox' : 'unknown'
}

/** Whether words say that there is no such mailbox, whatever they say beside. */
export const saysNoMailbox = (said: string): boolean => NO_MAILBOX.test(plain(said))

/** Whether it can be told of words what a mail was refused for; if there are none, who reports must know. */
export const isTold = (said: string): boolean => said.trim() === '' || refusalCause(said) !== 'unknown'

const plain = (said: string): string =>
  said.slice(0, LONGEST_WORDS).replace(ADDRESS, '').replace(OF_THE_REPORTER, '').replaceAll('_', ' ')
