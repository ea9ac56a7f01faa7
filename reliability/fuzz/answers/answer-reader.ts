import { type Answer, NotAnAnswer } from './answer.ts'

const STATUS_LINE = /^(HTTP\/1\.1) ([1-5]\d\d) ([\t\x20-\x7e]*)$/
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*?)[\t ]*$/
const LONGEST_HEAD = 64 * 1024
/** Of a body, no more is looked at. */
const KEPT = 256 * 1024

/** Reads one answer after the other from a connection, strictly. */
export class AnswerReader {
  #bytes: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
  }

  get rest(): Buffer {
    return this.#bytes
  }

  /**
   * The next answer, to a request with this method, once all of it is there.
   * @param ended whether the connection was closed
   * @throws {NotAnAnswer} what came cannot become one
   */
  next(method: string, ended: boolean): Answer | undefined {
    const end = this.#bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      if (this.#bytes.length > LONGEST_HEAD) throw new NotAnAnswer('the head has no end')
      return undefined
    }
    const head = headIn(this.#bytes.toString('latin1', 0, end))
    const found = this.#body(head, method, end + 4, ended)
    if (found === undefined) return undefined
    this.#bytes = this.#bytes.subarray(found.next)
    return { ...head, body: found.body.subarray(0, KEPT), untilClose: found.untilClose }
  }

  #body({ status, fields }: Head, method: string, begin: number, ended: boolean): Body | undefined {
    const values = (name: string) => fields.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value)
    const [coding] = values('transfer-encoding')
    const lengths = values('content-length')
    if (coding !== undefined && lengths.length > 0) throw new NotAnAnswer('both a length and chunks')
    if (lengths.length > 1) throw new NotAnAnswer('two lengths')
    const [length] = lengths
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new NotAnAnswer('a length that is none')
    if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return none(begin)
    if (coding !== undefined) return this.#chunked(begin)
    const end = length === undefined ? this.#bytes.length : begin + Number(length)
    if (length === undefined ? !ended : this.#bytes.length < end) return undefined
    return { body: this.#bytes.subarray(begin, end), next: end, untilClose: length === undefined }
  }

  #chunked(begin: number): Body | undefined {
    const pieces: Buffer[] = []
    for (let at = begin; ; ) {
      const lineEnd = this.#bytes.indexOf('\r\n', at)
      if (lineEnd < 0) return undefined
      const size = this.#bytes.toString('latin1', at, lineEnd)
      if (!/^[\da-f]{1,8}$/i.test(size)) throw new NotAnAnswer('a chunk without a size')
      const from = lineEnd + 2
      const to = from + Number.parseInt(size, 16)
      if (this.#bytes.length < to + 2) return undefined
      if (this.#bytes.toString('latin1', to, to + 2) !== '\r\n') throw new NotAnAnswer('a chunk longer than its size')
      if (to === from) return { body: Buffer.concat(pieces), next: to + 2, untilClose: false }
      pieces.push(this.#bytes.subarray(from, to))
      at = to + 2
    }
  }
}

type Head = Pick<Answer, 'version' | 'status' | 'fields'>

interface Body {
  readonly body: Buffer
  readonly next: number
  readonly untilClose: boolean
}

const none = (next: number): Body => ({ body: Buffer.alloc(0), next, untilClose: false })

const headIn = (text: string): Head => {
  const [first = '', ...lines] = text.split('\r\n')
  const status = STATUS_LINE.exec(first)
  if (status === null) throw new NotAnAnswer('its first line is no status line')
  const fields = lines.map((line) => {
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    if (name === '') throw new NotAnAnswer('a line of its head is no header field')
    return [name, value] as const
  })
  return { version: status[1] ?? '', status: Number(status[2]), fields }
}
