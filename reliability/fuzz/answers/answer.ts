/** An answer exactly as it was sent, parsed without an HTTP library. */
export interface Answer {
  readonly version: string
  readonly status: number
  /** In order, as they were written. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Whether the body ended with the connection. */
  readonly untilClose: boolean
}

export const fieldOf = ({ fields }: Answer, name: string): string | undefined =>
  fields.find(([field]) => field.toLowerCase() === name)?.[1]

/** The bytes are not a valid answer. */
export class NotAnAnswer extends Error {
  override readonly name = 'NotAnAnswer'
}

const STATUS_LINE = /^(HTTP\/1\.1) ([1-5]\d\d) ([\t\x20-\x7e]*)$/
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*?)[\t ]*$/
const LONGEST_HEAD = 64 * 1024
/** No more of a body is kept. */
const KEPT = 1024 * 1024

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
   * The next answer, to a request with this method, once it is complete.
   * @param ended whether the connection was closed
   * @throws {NotAnAnswer} the bytes cannot become an answer
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
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new NotAnAnswer('an invalid length')
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

const BEGIN = Buffer.from('HTTP/1.1 ')

interface FoundAnswer {
  readonly answer: Answer
  /** Whether it answers HEAD, and so has no body. */
  readonly isBare: boolean
}

/**
 * All answers that came over a connection. An answer whose body should come, and where the
 * next answer comes instead, or nothing, is one to HEAD.
 * @throws {NotAnAnswer} there is something else
 */
export const answersIn = (bytes: Buffer): FoundAnswer[] => {
  const answers: FoundAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) throw new NotAnAnswer('the head has no end')
    const after = rest.subarray(headEnd + 4)
    const isBare = after.length === 0 || after.subarray(0, BEGIN.length).equals(BEGIN)
    const reader = new AnswerReader()
    reader.push(rest)
    const answer = reader.next(isBare ? 'HEAD' : 'GET', true)
    if (answer === undefined) throw new NotAnAnswer('it breaks off')
    if (answer.status >= 200) answers.push({ answer, isBare: isBare && fieldOf(answer, 'content-length') !== '0' })
    rest = reader.rest
  }
  return answers
}
