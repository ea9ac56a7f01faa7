import type { Mail } from '@rollcall/core'
import { encodeWord, quoteString } from 'nodemailer/lib/mime-funcs'
import MimeNode, { type MimeNodeHeaderMap } from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'
import type { MailOrigin, Sender } from './mail-settings.ts'
import type { MailTemplates } from './mail-templates.ts'
import { oneLine, pictureOf, renderMail } from './render-mail.ts'

/** A mail as it goes over the wire. */
export interface ComposedMail {
  /** Addresses as SMTP has them. */
  readonly envelope: { readonly from: string; readonly to: string }
  readonly bytes: Buffer
}

/** Room for an encoded word of at most 75 characters (RFC 2047 section 2). */
const ENCODED_WORD = 52
const LONGEST_BOUNDARY_BASE = 50
const PLAIN = /^[\x20-\x7e]{0,200}$/
const LONGEST_NAME = 200
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
// The longest that leaves its header line within 998 characters (RFC 5322 section 2.1.1).
const HEADER_URL = /^[\x21-\x3b\x3d\x3f-\x7e]{1,950}$/

const off = { settings: { enable: 0 } }

/**
 * Keeps relays from putting links of their own in place of ours, and a picture that tells who read: a link that confirms leads
 * to where it says. Others take no notice of these.
 * @see https://www.twilio.com/docs/sendgrid/for-developers/sending-email/building-an-x-smtpapi-header
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-smtp
 * @see https://postmarkapp.com/developer/user-guide/tracking-links
 */
const UNTRACKED: MimeNodeHeaderMap = {
  'X-SMTPAPI': {
    prepared: true,
    foldLines: true,
    value: JSON.stringify({
      filters: { clicktrack: off, opentrack: off, subscriptiontrack: off, ganalytics: off },
    }).replace(/,/g, ', '),
  },
  'X-Mailgun-Track': 'no',
  'X-PM-TrackOpens': 'false',
  'X-PM-TrackLinks': 'None',
}

/**
 * The whole message: headers and both parts, in the reader's language. The same mail gives the same message, but for
 * its date. Nothing in it was submitted, except the address.
 */
export const composeMail = (mail: Mail, origin: MailOrigin, templates: MailTemplates): ComposedMail => {
  const { messageId, returnTo, to, feed, feeds = [], links } = mail
  const title = oneLine(feed.title)
  const picture = pictureOf(mail.logo)
  const cid = `logo.${messageId}`
  const { subject, text, html } = renderMail(mail, origin, templates, picture && { ...picture, src: `cid:${cid}` })
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
    ...(feed.replyTo && { 'Reply-To': from(feed.replyTo) }),
    Subject: folded(words(oneLine(subject), (plain) => plain)),
    'Message-ID': `<${messageId}>`,
    'List-Id': folded(listId(title, `${feed.name}.${origin.domain}`)),
    // One click ends one subscription: a mail about several has none.
    ...(feeds.length < 2 && unsubscribing(links)),
    'Auto-Submitted': 'auto-generated',
    ...UNTRACKED,
  } satisfies MimeNodeHeaderMap)
  const plain = part(root, 'text/plain', text)
  const parts = [plain, picture ? withPicture(root, html, picture.content, cid) : part(root, 'text/html', html)]
  const headers = `To: ${recipient}\r\n${root.buildHeaders()}`
  return {
    envelope: { from: returnTo ?? (root.getEnvelope().from || ''), to: recipient },
    bytes: Buffer.from(assembled(headers, String(root.boundary), parts), 'latin1'),
  }
}

/** The HTML and the picture that it shows. */
const withPicture = (root: MimeNode, html: string, content: string, cid: string): string => {
  const node = root.createChild('multipart/related; type="text/html"')
  const picture = node.createChild('image/png; name="logo.png"')
  picture.setHeader('Content-Transfer-Encoding', 'base64')
  picture.setHeader('Content-ID', `<${cid}>`)
  picture.setHeader('Content-Disposition', 'inline; filename="logo.png"')
  const parts = [
    part(node, 'text/html', html),
    `${picture.buildHeaders()}\r\n\r\n${content.replace(/.{76}/g, '$&\r\n')}`,
  ]
  const headers = node.buildHeaders()
  return assembled(headers, String(node.boundary), parts)
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
