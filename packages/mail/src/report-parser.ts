import { createHash } from 'node:crypto'
import {
  isTold,
  judgeFailure,
  LONGEST_WORDS,
  type MailReport,
  type ReportedFailure,
  type ReportParser,
  refusalCause,
} from '@rollcall/core'
import type { Attachment, Email } from 'postal-mime'

/** Reports have a copy of the mail in them, but no more. */
const LONGEST = 1024 * 1024
const DEEPEST = 20
const LONGEST_HEADERS = 256 * 1024
/** Anybody can mail to where reports go, and each line takes longer to read than its bytes. */
const MOST_LINES = 32_768

const DELIVERY_STATUS = /^message\/(?:global-)?delivery-status$/
const FEEDBACK = 'message/feedback-report'
const ORIGINAL = /^(?:message\/(?:global|rfc822)|(?:text|message)\/(?:global-headers|rfc822-headers))$/

/** Reads reports of mail servers. One that is made to be hard to read does not count as a report. */
export const createReportParser = (): ReportParser => ({
  parse: async (message) => {
    if (message.length > LONGEST || hasTooManyLines(message)) return undefined
    // Only for reports: most command lines read none.
    const { default: PostalMime } = await import('postal-mime')
    const options = { forceRfc822Attachments: true, maxNestingDepth: DEEPEST, maxHeadersSize: LONGEST_HEADERS }
    const mail = await PostalMime.parse(message, options).catch(() => undefined)
    return mail && reportIn(mail, message)
  },
})

const hasTooManyLines = (message: Uint8Array): boolean => {
  let lines = 0
  for (const byte of message) if (byte === LINE_FEED) lines++
  return lines > MOST_LINES
}

const LINE_FEED = 10

const reportIn = (mail: Email, message: Uint8Array): MailReport | undefined => {
  const parts = mail.attachments
  const id = mail.messageId || createHash('sha256').update(message).digest('hex')
  const status = parts.find(({ mimeType }) => DELIVERY_STATUS.test(mimeType))
  if (status !== undefined) return deliveryReport(fieldGroups(textOf(status)), id, wordsOf(mail))
  const feedback = parts.find(({ mimeType }) => mimeType === FEEDBACK)
  if (feedback === undefined) {
    const marked = parts.filter((part) => ORIGINAL.test(part.mimeType) && MARK_OF_COMPLAINT.test(textOf(part)))
    if (marked.length > 0) return { kind: 'complaint', id, links: marked.flatMap(linksIn) }
    const failure = failureInWords(mail)
    return failure && { kind: 'bounce', id, failure }
  }
  const type = fieldGroups(textOf(feedback))[0]?.get('feedback-type')?.toLowerCase()
  if (!COMPLAINTS.has(type)) return { kind: 'other' }
  const links = parts.filter(({ mimeType }) => ORIGINAL.test(mimeType)).flatMap(linksIn)
  return { kind: 'complaint', id, links }
}

/** Of the types of RFC 5965 and of later ones, such as a signature that does not hold, those that a person stands behind. */
const COMPLAINTS: ReadonlySet<string | undefined> = new Set(['abuse', 'fraud', 'opt-out', 'other', '', undefined])

/** Outlook's complaints of old are no reports: it sends back the mail with this field. */
const MARK_OF_COMPLAINT = /^X-HmXmrOriginalRecipient:/im

const textOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1')

/** Groups of fields with blank lines between them, names in lower case. */
const fieldGroups = (text: string): ReadonlyMap<string, string>[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((group) => {
      const fields = new Map<string, string>()
      for (const line of group.replace(/\n[ \t]+/g, ' ').split('\n')) {
        const colon = line.indexOf(':')
        const name = line.slice(0, colon).trim().toLowerCase()
        if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
      }
      return fields
    })
    .filter((fields) => fields.size > 0)

/** Some servers have words of their own for `failed`. */
const FAILED = /^(?:fail|error)/i
const DELIVERED = /^delivered/i
/** Of one mail: each is judged by its words. */
const MOST_FAILED = 20

/** Of several recipients, what was worst. @see RFC 3464 section 2.3 */
const deliveryReport = (groups: readonly ReadonlyMap<string, string>[], id: string, words: string): MailReport => {
  const groupsWith = (action: RegExp) => groups.filter((fields) => action.test(fields.get('action') ?? ''))
  const failures = groupsWith(FAILED)
    .slice(0, MOST_FAILED)
    .map((failed) => failureIn(failed, words))
  const first = (meaning: string) => failures.find((one) => judgeFailure(one).meaning === meaning)
  const failure = first('permanent') ?? first('temporary') ?? failures[0]
  if (failure !== undefined) return { kind: 'bounce', id, failure }
  return groupsWith(DELIVERED).length > 0 ? { kind: 'delivery', id } : { kind: 'other' }
}

const failureIn = (failed: ReadonlyMap<string, string>, words: string): ReportedFailure => {
  const status = /^[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(failed.get('status') ?? '')?.[0]
  // Some servers say why beside the status, or in the part for people alone.
  const beside = failed.get('status')?.replace(status ?? '', '') ?? ''
  const diagnostic = failed.get('diagnostic-code') ?? failed.get('x-supplementary-info') ?? `${beside}\n${words}`
  return failureOf(status, diagnostic)
}

/** That a server has given up says nothing of the mailbox yet. */
const failureOf = (status: string | undefined, diagnostic: string): ReportedFailure => ({
  permanent: isTold(diagnostic),
  status,
  diagnostic,
})

/** Of Exchange, with digits behind; and of others. */
const SERVER =
  /^(?:mailer-?daemon|postmaster|mdaemon|microsoftexchange[0-9a-f]*|mail[-_.]?delivery[-_.]?(?:sub)?system)(?:@|$)/i
/** Where the copy of the mail begins that came back. */
const COPY =
  /^(?:--.*\b(?:copy|original|forwarded)\b|original (?:message|mail)\b|the (?:original|header)s? (?:message|of)\b|message headers follow\b)/im
/** It has not given up. */
const WARNING =
  /\bwarning\b|\bdelay(?:ed)?\b|(?:still|keep|will be|continue to?) (?:retr|try)|not yet (?:been )?deliver|will (?:re)?try/i
/** What answers, and does not report, even if it comes from such an address. */
const ANSWER =
  /^(?:re|aw|sv|antw|r[ée]f?)\s*:|\bauto(?:mat\p{L}*)?[- ]?(?:reply|respon[sd]|antwort)|\b(?:r[ée]ponse|respuesta) autom|\bout of (?:the )?office|\babwesen/iu

/**
 * A bounce without a report, as qmail and Exim write them. A person's automatic reply comes from that person's address, and
 * has neither the field nor, of a server, words that are final.
 */
const failureInWords = (mail: Email): ReportedFailure | undefined => {
  const words = wordsOf(mail)
  const failure = failureOf(undefined, words)
  if (mail.headers.some(({ key, value }) => key === 'x-failed-recipients' && value !== ''))
    return /\b(?:delay(?:ed)?|warning)\b/i.test(mail.subject ?? '') ? undefined : failure
  // Some servers have a name alone.
  const from = mail.from?.address || mail.from?.name || ''
  if (!SERVER.test(from) || WARNING.test(words) || ANSWER.test(mail.subject ?? '')) return undefined
  const isNamed = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)/.test(words)
  // A reply of another server, or qmail's own words.
  const isSaid =
    /(?:^|[\s:'"])5[0-5]\d[\s-]|i've given up|permanent (?:fatal )?error|did not reach the following recipient/im.test(
      words,
    )
  return isNamed || (isSaid && refusalCause(words) === 'no-mailbox') ? failure : undefined
}

/** What a server says, without the copy. Some write in HTML alone. */
const wordsOf = ({ text = '', html = '' }: Email): string => {
  const said =
    text.trim() === ''
      ? html
          .slice(0, 4 * LONGEST_WORDS)
          .replace(/<(?:br|p|div|tr|li)\b[^<>]*>/gi, '\n')
          .replace(/<[^<>]*>/g, ' ')
      : text
  return said.slice(0, LONGEST_WORDS).split(COPY)[0] ?? ''
}

const MOST_LINKS = 20
const LINK = /\/unsubscribe\/([1-9]\d{0,15}\.[1-9a-z][0-9a-z]{0,3}[0-9a-f]{32})(?![0-9a-f])/g

/** As it stands, and with folded headers and quoted-printable lines put together. */
const linksIn = (part: Attachment): string[] => {
  const text = textOf(part)
  const found = [text, text.replace(/=?\r?\n[ \t]*/g, '')].flatMap((one) => [...one.matchAll(LINK)])
  return [...new Set(found.map(([, link = '']) => link))].slice(0, MOST_LINKS)
}
