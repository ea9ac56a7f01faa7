/** A reader of messages for tests, made from the RFCs and not from the library under test. */
export interface ParsedPart {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

export interface ParsedMessage extends ParsedPart {
  readonly parts: readonly ParsedPart[]
}

export const headerOf = ({ headers }: ParsedPart, name: string): string | undefined =>
  headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1]

/** The message with its parts decoded. Throws at what no mail may have. */
export const parseMessage = (bytes: Buffer): ParsedMessage => {
  const source = bytes.toString('latin1')
  if (/[^\r]\n|\r[^\n]|^\n|\r$/.test(source)) throw new Error('a line does not end in CR LF')
  if (/[^\t\r\n\x20-\x7e]/.test(source)) throw new Error('a byte is not printable ASCII')
  const tooLong = source.split('\r\n').find((line) => line.length > 998)
  if (tooLong) throw new Error(`a line has ${tooLong.length} characters`)
  const { headers, rest } = split(source)
  const boundary = /boundary="([^"]+)"/.exec(headers.find(([name]) => name === 'Content-Type')?.[1] ?? '')?.[1]
  if (boundary === undefined) throw new Error('not a multipart message')
  const sections = `\r\n${rest}`.split(`\r\n--${boundary}`)
  if (!sections.at(-1)?.startsWith('--')) throw new Error('the last boundary is missing')
  return { headers, body: '', parts: sections.slice(1, -1).map((section) => decodedPart(section.slice(2))) }
}

const split = (source: string) => {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
  const headers = lines.map((line) => {
    const match = /^([\x21-\x39\x3b-\x7e]+):[ \t]*(.*)$/.exec(line)
    if (!match) throw new Error(`not a header: ${JSON.stringify(line)}`)
    return [match[1]!, match[2]!] as const
  })
  return { headers, rest: source.slice(end + 4) }
}

const decodedPart = (source: string): ParsedPart => {
  const { headers, rest } = split(source)
  const part = { headers, body: rest }
  const encoding = headerOf(part, 'Content-Transfer-Encoding')
  if (encoding === '7bit') return part
  if (encoding === 'base64') return { headers, body: Buffer.from(rest, 'base64').toString('utf8') }
  if (encoding !== 'quoted-printable') throw new Error(`unknown encoding ${encoding}`)
  if (rest.split('\r\n').some((line) => line.length > 76)) throw new Error('a quoted-printable line is too long')
  return { headers, body: utf8(rest.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => byte(hex))) }
}

/** Decodes encoded words (RFC 2047), which must be at most 75 characters each. */
export const decodeWords = (text: string): string =>
  text.replace(/(\?=)[ \t]+(=\?)/g, '$1$2').replace(/=\?UTF-8\?([QB])\?([^? ]*)\?=/g, (word, encoding, content) => {
    if (word.length > 75) throw new Error(`an encoded word has ${word.length} characters`)
    if (encoding === 'B') return Buffer.from(content, 'base64').toString('utf8')
    return utf8(content.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, (_: string, hex: string) => byte(hex)))
  })

const byte = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))

const utf8 = (latin1: string): string => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'))

/** The address that a quoted local part stands for (RFC 5321 section 4.1.2). */
export const unquoted = (address: string): string =>
  address.replace(/^"((?:[^"\\]|\\.)*)"@/, (_, local: string) => `${local.replace(/\\(.)/g, '$1')}@`)
