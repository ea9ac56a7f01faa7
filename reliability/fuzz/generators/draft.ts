/** A request on its way to becoming bytes. Texts are Latin-1: what is beyond ASCII must be encoded before. */
export interface Draft {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Buffer | undefined
}

const LINE_BREAK = /[\r\n]/g
// What decides where a request ends: streams try these, where nothing else may depend on it.
const FRAMING =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

/** Its end is certain, whatever else is wrong with it. */
export const requestBytes = ({ method, target, headers, body }: Draft): Buffer => {
  const lines = [`${method} ${inLatin1(target).replace(LINE_BREAK, '')} HTTP/1.1`]
  for (const [name, value] of headers) {
    const field = inLatin1(name).replace(LINE_BREAK, '')
    if (!FRAMING.test(field.trim())) lines.push(`${field}: ${inLatin1(value).replace(LINE_BREAK, '')}`)
  }
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** UTF-8 as the bytes that it is. */
const inLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
