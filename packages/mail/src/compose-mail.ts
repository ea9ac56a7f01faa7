import { currentWording, type Mail } from '@rollcall/core'
import type { MailComposerOptions } from 'nodemailer/lib/mail-composer'
import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs'
import type { MailOrigin } from './mail-origin.ts'
import type { MailView } from './mail-template.ts'
import type { MailTemplates } from './mail-templates.ts'
import type { Sender } from './sender.ts'

/** Room for an encoded word of at most 75 characters (RFC 2047 section 2). */
const ENCODED_WORD = 52
const LONGEST_BOUNDARY_BASE = 50
// Spaces as well: a header that is folded between many of them would have a line of nothing else.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
const BLANK = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
const PLAIN = /^[\x20-\x7e]{0,200}$/
const LONGEST_NAME = 200
// The longest that leaves its header line within 998 characters (RFC 5322 section 2.1.1).
const HEADER_URL = /^[\x21-\x3b\x3d\x3f-\x7e]{1,950}$/

/**
 * The whole message as nodemailer takes it: headers and both parts, in the reader's language. The same mail gives the
 * same message, but for its date. Nothing in it was submitted by anybody but the address.
 */
export const composeMail = (mail: Mail, origin: MailOrigin, templates: MailTemplates): MailComposerOptions => {
  const { messageId, to, feed, locale, links } = mail
  const title = oneLine(feed.title)
  const template = templates.find(mail.kind, [locale, feed.language])
  const { subject, text, html } = template({
    feed: { name: feed.name, title, description: oneLine(feed.description) },
    host: origin.host,
    links,
    wording: wordingOf(feed),
  })
  const address = { name: '', address: to }
  return {
    // Objects, never texts to be parsed: an address is one address whatever is in it.
    from: from(feed.sender ?? origin.sender),
    to: address,
    envelope: { from: { name: '', address: origin.sender.address }, to: [address] },
    messageId: `<${messageId}>`,
    headers: {
      Subject: { prepared: true, foldLines: true, value: words(oneLine(subject), (plain) => plain) },
      'List-Id': { prepared: true, foldLines: true, value: listId(title, `${feed.name}.${origin.domain}`) },
      'List-Unsubscribe': { prepared: true, value: `<${headerUrl(links.unsubscribe)}>` },
      'List-Unsubscribe-Post': { prepared: true, value: 'List-Unsubscribe=One-Click' },
      'Auto-Submitted': 'auto-generated',
    },
    text,
    html,
    // What cannot be in quoted-printable text, and is the same when the mail is tried again.
    boundaryPrefix: '=_',
    baseBoundary: messageId.replace(/@.*/, '').slice(0, LONGEST_BOUNDARY_BASE),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const oneLine = (text: string): string => text.replace(BLANK, ' ').trim()

const wordingOf = (feed: Mail['feed']): MailView['wording'] => {
  const lines = currentWording(feed)?.text.split(LINE_ENDS).map(oneLine).filter(Boolean) ?? []
  return lines.length > 0 ? { lines } : undefined
}

/** A name that looks encoded would be decoded by readers, quotation marks or not. */
const from = ({ name, address }: Sender): Sender => ({
  name: [...oneLine(name.toWellFormed())].slice(0, LONGEST_NAME).join('').trim().replaceAll('=?', '= ?'),
  address,
})

/** @see RFC 2919 */
const listId = (title: string, id: string): string => `${words(title, quoteString)} <${id}>`

/**
 * The text as a header can have it. What looks encoded already is encoded, too: readers would decode it.
 * @see RFC 2047
 */
const words = (text: string, asPlain: (text: string) => string): string =>
  PLAIN.test(text) && !text.includes('=?') ? asPlain(text) : encodeWord(text, 'B', ENCODED_WORD)

const headerUrl = (url: string): string => {
  if (HEADER_URL.test(url)) return url
  throw new TypeError('a link has characters, or a length, that cannot be in a mail header')
}
