import { currentWording, type Mail } from '@rollcall/core'
import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs'
import MimeNode, { type MimeNodeHeaderMap } from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'
import type { MailOrigin, Sender } from './mail-settings.ts'
import { type MailTemplates, type MailView, templateOf } from './mail-templates.ts'

/** A mail as it goes over the wire. */
export interface ComposedMail {
  /** Addresses as SMTP has them. */
  readonly envelope: { readonly from: string; readonly to: string }
  readonly bytes: Buffer
}

/** Room for an encoded word of at most 75 characters (RFC 2047 section 2). */
const ENCODED_WORD = 52
const LONGEST_BOUNDARY_BASE = 50
// Spaces as well: a header that is folded between many of them would have a line of nothing else.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
const BLANK = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
const PLAIN = /^[\x20-\x7e]{0,200}$/
const LONGEST_NAME = 200
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
// The longest that leaves its header line within 998 characters (RFC 5322 section 2.1.1).
const HEADER_URL = /^[\x21-\x3b\x3d\x3f-\x7e]{1,950}$/

/**
 * The whole message: headers and both parts, in the reader's language. The same mail gives the same message, but for
 * its date. Nothing in it was submitted, except the address.
 */
export const composeMail = (mail: Mail, origin: MailOrigin, templates: MailTemplates): ComposedMail => {
  const { messageId, returnTo, to, feed, feeds = [], locale, links } = mail
  const title = oneLine(feed.title)
  const template = templates.find(templateOf(mail), [locale, feed.language])
  const { subject, text, html } = template({
    feed: { name: feed.name, title, description: oneLine(feed.description) },
    host: origin.host,
    links,
    wording: wordingOf(feed),
    feeds: feeds.map((one) => ({ title: oneLine(one.title), wording: wordingOf(one) })),
  })
  const root = new MimeNode('multipart/alternative', {
    // What cannot be in quoted-printable text, and is the same when the mail is tried again.
    boundaryPrefix: '=_',
    baseBoundary: messageId.replace(/@.*/, '').slice(0, LONGEST_BOUNDARY_BASE),
  })
  // Never a text to be parsed: an address is one address whatever is in it.
  const recipient = addrSpec(to)
  root.setEnvelope({ from: { name: '', address: origin.sender.address }, to: [] })
  root.setHeader({
    From: from(feed.sender ?? origin.sender),
    Subject: folded(words(oneLine(subject), (plain) => plain)),
    'Message-ID': `<${messageId}>`,
    'List-Id': folded(listId(title, `${feed.name}.${origin.domain}`)),
    // One click ends one subscription: a mail about several has none.
    ...(feeds.length < 2 && unsubscribing(links)),
    'Auto-Submitted': 'auto-generated',
  } satisfies MimeNodeHeaderMap)
  const parts = [part(root, 'text/plain', text), part(root, 'text/html', html)]
  const headers = `To: ${recipient}\r\n${root.buildHeaders()}`
  return {
    envelope: { from: returnTo ?? (root.getEnvelope().from || ''), to: recipient },
    bytes: Buffer.from(assembled(headers, String(root.boundary), parts), 'latin1'),
  }
}

// Put together here, not streamed: a stream for each part and each step costs several times what all else does.
const part = (root: MimeNode, type: string, content: string): string => {
  const node = root.createChild(`${type}; charset=utf-8`)
  node.setHeader('Content-Transfer-Encoding', 'quoted-printable')
  return `${node.buildHeaders()}\r\n\r\n${wrap(encode(content))}`
}

/** @see RFC 2046 section 5.1.1 */
const assembled = (headers: string, boundary: string, parts: readonly string[]): string =>
  `${headers}\r\n\r\n${parts.map((content) => `--${boundary}\r\n${content}\r\n`).join('')}--${boundary}--\r\n`

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

/**
 * The address as headers and envelopes have it. Done here, as Nodemailer would take a domain such as `127.1` for the IP
 * address that a browser makes of it, which is another's.
 * @see RFC 5322 section 3.4.1
 */
const addrSpec = (address: string): string => {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  return DOT_ATOM.test(local) ? address : `${quoteString(local)}${address.slice(at)}`
}

const unsubscribing = ({ unsubscribe }: Mail['links']): MimeNodeHeaderMap =>
  unsubscribe === undefined
    ? {}
    : {
        'List-Unsubscribe': { prepared: true, value: `<${headerUrl(unsubscribe)}>` },
        'List-Unsubscribe-Post': { prepared: true, value: 'List-Unsubscribe=One-Click' },
      }

const folded = (value: string) => ({ prepared: true, foldLines: true, value })

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
