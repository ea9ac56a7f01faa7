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

/** Reads a mail as this package writes them, with a text and HTML. Undefined for anything else. */
export const parseMail = async (source: string): Promise<ParsedMail | undefined> => {
  // Only for mails that are files: most command lines read none.
  const { default: PostalMime, decodeWords } = await import('postal-mime')
  const mail = await PostalMime.parse(source).catch(() => undefined)
  if (!(mail?.text && mail.html)) return undefined
  const header = (name: string): string => mail.headers.find(({ key }) => key === name)?.value ?? ''
  // The line break before a boundary belongs to that.
  const [text = '', html = ''] = [mail.text, mail.html].map((part) => part.replace(/\n$/, ''))
  const unsubscribe = /^<([^>]+)>/.exec(header('list-unsubscribe'))?.[1] ?? ''
  return {
    from: decodeWords(header('from')),
    to: header('to'),
    subject: mail.subject ?? '',
    text,
    html,
    links: [...new Set([...(text.match(/https?:\/\/[^\s<>"]+/g) ?? []), unsubscribe])].filter(Boolean).map(namedLink),
  }
}

const namedLink = (url: string): MailLink => ({ name: OWN_LINK.exec(url)?.[1], url })
