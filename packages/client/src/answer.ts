import { isChangedTag } from './entity-tag.ts'
import { linesOf, piecesOf, textOf } from './lines.ts'
import { retryAfterOf } from './retry.ts'
import { type FieldProblem, RollcallError } from './rollcall-error.ts'
import type { Route } from './route.ts'

/** What a call gives, whatever the operation. */
export interface Success {
  readonly ok: true
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
}

interface ErrorBody {
  readonly error: string
  readonly message: string
  readonly details?: readonly FieldProblem[]
  readonly request_id?: string
}

const TAG_CHANGED =
  'A proxy changed or removed the entity tag that this condition is about. Have it leave what Rollcall answers uncompressed.'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isErrorBody = (value: unknown): value is ErrorBody =>
  isObject(value) && 'error' in value && typeof value.error === 'string' && 'message' in value

/** An answer that was read whole, or whose stream is about to be read. */
export class Answer {
  readonly #route: Route
  readonly #response: Response
  readonly #tries: number
  readonly #ifMatch: string | null

  constructor(route: Route, response: Response, tries: number, ifMatch: string | null) {
    this.#route = route
    this.#response = response
    this.#tries = tries
    this.#ifMatch = ifMatch
  }

  /** `content` is its body; undefined if it is to be read as it comes. */
  read(content: string | Uint8Array | undefined): Success | RollcallError {
    const { status, headers, ok, body } = this.#response
    const success = (data: unknown): Success => ({ ok: true, status, headers, data })
    if (content === undefined) {
      if (this.#has('ndjson')) return success(this.#lines())
      if (this.#has('csv')) return success(textOf(piecesOf(body), { ignoreBOM: true }))
      body?.cancel().catch(() => undefined)
      return this.#unexpected()
    }
    if (status === 204 || status === 304) return success(undefined)
    if (typeof content !== 'string' || (ok && this.#route.has('text'))) return success(content)
    const data = this.#has('json') ? parsed(content) : undefined
    if (!ok && isErrorBody(data)) return this.#refusal(data)
    const isDocumented = ok || this.#route.has(`answers:${status}`)
    return isObject(data) && isDocumented ? success(data) : this.#unexpected()
  }

  /** The lines, up to an error in the place of one. */
  async *#lines(): AsyncGenerator<unknown> {
    const { lastLine } = this.#route
    let last: unknown
    for await (const line of linesOf(textOf(piecesOf(this.#response.body)))) {
      const record = parsed(line)
      if (record === undefined) throw this.#unexpected()
      // A row of a file that is refused has its number.
      if (isErrorBody(record) && !('line' in record)) throw this.#refusal(record)
      last = record
      yield record
    }
    if (lastLine !== undefined && !(isObject(last) && lastLine in last))
      throw this.#refusal({ error: 'UnexpectedAnswer', message: 'The answer broke off, and is incomplete: ask again.' })
  }

  #has(type: string): boolean {
    return this.#response.headers.get('Content-Type')?.includes(type) ?? false
  }

  #refusal({ error, message: said, details, request_id }: ErrorBody): RollcallError {
    const { status, headers } = this.#response
    const message = status === 412 && isChangedTag(this.#ifMatch ?? '*') ? TAG_CHANGED : said
    const requestId = request_id ?? headers.get('X-Request-Id') ?? undefined
    const retryAfter = retryAfterOf(headers)
    return new RollcallError({ error, message, details, status, headers, requestId, retryAfter, tries: this.#tries })
  }

  #unexpected(): RollcallError {
    const { status, headers } = this.#response
    const to = headers.get('Location')
    const what = to === null ? (headers.get('Content-Type') ?? 'no type') : `to ${to}`
    const message = `This is not how Rollcall answers ${this.#route.name} (${status}, ${what}): check the url.`
    return this.#refusal({ error: 'UnexpectedAnswer', message })
  }
}

/** Undefined if it is not JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
