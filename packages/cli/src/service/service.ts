import {
  type AnswerOf,
  type Client,
  createClient,
  type OperationId,
  type Params,
  RollcallError,
} from '@rollcall/client'
import type { DomainError } from '@rollcall/core'
import type { Fetch } from './patient-fetch.ts'

/** A body as it was given: what is missing or wrong, the service says. */
type Loose<Value> = Value extends string | number | boolean
  ? string | number | boolean
  : Value extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : Value

type GivenBody<Body> = { readonly [Field in keyof Body]: Loose<Body[Field]> | undefined }

/** What an operation takes, as it was given. */
export type GivenParams<Id extends OperationId> = {
  readonly [Name in keyof Params<Id>]: Name extends 'body'
    ? GivenBody<Params<Id>[Name]>
    : string | number | boolean | undefined
}

export interface AskOptions {
  /** Names the request in the log and the trail of the service. */
  readonly requestId?: string | undefined
  /** Whether it is refused if there is such a record. */
  readonly onlyNew?: boolean | undefined
}

/** An answer that is no refusal. */
type Taken<Id extends OperationId> = Exclude<Extract<AnswerOf<Id>, { ok: true }>, { status: 304 }>

export type DataOf<Id extends OperationId> = Taken<Id>['data']

interface ServiceOptions {
  readonly url: string
  readonly fetch: Fetch
  readonly version: string
  readonly token?: string | undefined
}

/** The service as the commands ask it, wherever it is. */
export class Service {
  /** Every operation, typed: for what is not to be taken as it was given. */
  readonly client: Client

  constructor({ version, ...options }: ServiceOptions) {
    // Who asks again, and how often, is `fetch` alone.
    this.client = createClient({ ...options, retry: false, headers: { 'User-Agent': `rollcall/${version}` } })
  }

  /** @throws {RollcallError} the service refuses */
  async answer<Id extends OperationId>(
    id: Id,
    params: GivenParams<Id>,
    { requestId, onlyNew = false }: AskOptions = {},
  ): Promise<Taken<Id>> {
    const ask = this.client.try[id] as unknown as (params: object, options: object) => Promise<AnswerOf<Id>>
    const headers = {
      ...(requestId !== undefined && { 'X-Request-Id': requestId }),
      ...(onlyNew && { 'If-None-Match': '*' }),
    }
    const answer = await ask(params, { headers })
    if (!answer.ok) throw answer
    return answer as unknown as Taken<Id>
  }

  /** What the service answers. @throws {RollcallError} the service refuses */
  async ask<Id extends OperationId>(id: Id, params: GivenParams<Id>, options?: AskOptions): Promise<DataOf<Id>> {
    return (await this.answer(id, params, options)).data as DataOf<Id>
  }

  /** The text of an answer of any length, as it comes. @throws {RollcallError} the service refuses */
  async text<Id extends OperationId>(id: Id, params: GivenParams<Id>): Promise<AsyncIterable<string>> {
    const response = await this.client.send(id, params as Params<Id>, { headers: { Accept: '*/*' } })
    if (!response.ok) {
      const { status, headers } = response
      throw new RollcallError({ ...((await response.json()) as Refusal), status, headers, tries: 1 })
    }
    return exactText((response.body ?? []) as AsyncIterable<Uint8Array>)
  }
}

/** With its byte order mark, if it has one. */
async function* exactText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

interface Refusal {
  readonly error: string
  readonly message: string
}

/** Whether the service refuses by one of these names. */
export const isRefusal = (error: unknown, ...names: readonly string[]): error is RollcallError =>
  error instanceof RollcallError && names.includes(error.error)

/**
 * A text that is part of a path.
 * @throws {DomainError} it would lead elsewhere, so that there is no such record
 */
export const inPath = (NotFound: new () => DomainError, text: string): string => {
  if (!text.isWellFormed() || ['', '.', '..'].includes(text)) throw new NotFound()
  return text
}
