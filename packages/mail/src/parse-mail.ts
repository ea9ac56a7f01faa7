/** A mail as its reader sees it. */
export interface ParsedMail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without what a mail program does not show. */
  readonly links: readonly MailLink[]
}

export interface MailLink {
  /** What the link is for: `confirm`, `refuse`, `preferences`, `unsubscribe`, `move` or `undo`; undefined for a link of a deployer. */
  readonly name: string | undefined
  readonly url: string
}

const OWN_LINK = /\/(confirm|refuse|preferences|unsubscribe|move|undo)\/[^/?#]+$/

/**
 * Reads a mail that `composeMail` wrote: two parts, both quoted-printable, perhaps a picture, and no other encoded words than base64 and
 * quoted ones in UTF-8. Undefined for anything else.
 * @see RFC 2045 section 6.7, RFC 2047
 */
export const parseMail = (source: string): ParsedMail | undefined => {
  const message = split(source)
  // Beside the HTML, there may be the picture in it.
  const parts = partsOf(message)?.flatMap((part) => partsOf(part) ?? [part])
  if (parts === undefined) return undefined
  const [text, html] = ['text/plain', 'text/html'].map((type) =>
    parts.find(({ headers }) => headers.get('content-type')?.startsWith(type)),
  )
  if (!(text && html)) return undefined
  const header = (name: string): string => decodeWords(message.headers.get(name) ?? '')
  const shown = decodeQuotedPrintable(text.body)
  const unsubscribe = /^<([^>]+)>/.exec(message.headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
  return {
    from: header('from'),
    to: header('to'),
    subject: header('subject'),
    text: shown.replaceAll('\r\n', '\n'),
    html: decodeQuotedPrintable(html.body).replaceAll('\r\n', '\n'),
    links: [...new Set([...(shown.match(/https?:\/\/[^\s<>"]+/g) ?? []), unsubscribe])].filter(Boolean).map(namedLink),
  }
}

type Part = ReturnType<typeof split>

const partsOf = ({ headers, body }: Part): Part[] | undefined => {
  const boundary = /;[ \t]*boundary="([^"]+)"/i.exec(headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined) return undefined
  return `\r\n${body}`
    .split(`\r\n--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.slice(2)))
}

const namedLink = (url: string): MailLink => ({ name: OWN_LINK.exec(url)?.[1], url })

const split = (source: string) => {
  const [head = '', ...body] = source.split('\r\n\r\n')
  const lines = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n')
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:[ \t]*/, '')])
  return { headers: new Map(headers as [string, string][]), body: body.join('\r\n\r\n') }
}

const decodeQuotedPrintable = (text: string): string => utf8(text.replace(/=\r\n/g, ''))

const decodeWords = (text: string): string =>
  text
    // White space between two encoded words belongs to neither.
    .replace(/(\?=)[ \t]+(?==\?)/g, '$1')
    .replace(/=\?utf-8\?([bq])\?([^? ]*)\?=/gi, (_, encoding: string, content: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString('utf8')
        : utf8(content.replaceAll('_', ' ')),
    )

/** The text whose bytes in UTF-8 are written as `=C3=A9`. */
const utf8 = (text: string): string =>
  text.replace(/(?:=[0-9A-F]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'))
