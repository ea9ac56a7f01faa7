import type { Operations } from '../generated/operations.ts'
import type { BrokenOff } from '../generated/schemas.ts'
import type { RollcallError } from './rollcall-error.ts'

/** The `operationId` of an operation of the OpenAPI document. */
export type OperationId = keyof Operations

export interface RetryOptions {
  /**
   * How often a request is sent at most, the first time included; 4 by default. One that is not idempotent is sent once
   * (RFC 9110 section 9.2.2).
   */
  readonly tries?: number | undefined
  /** Milliseconds that are waited at most before the next try; 30,000 by default. A server that asks for more gets none. */
  readonly maxDelay?: number | undefined
}

export interface ClientOptions {
  /** The address of the service, such as `https://news.example.com`; with the path that it is mounted on, if any. */
  readonly url: string
  /** An access token, or what gives one. It goes to this service only, and only with operations that need one. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** False: every request is sent once. */
  readonly retry?: RetryOptions | false | undefined
  /** By default the one of the runtime. */
  readonly fetch?: ((url: string, init?: RequestInit) => Promise<Response>) | undefined
}

/** What one call has for itself. */
export interface CallOptions {
  /** Ends the request, or the waiting for the next try. */
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly retry?: RetryOptions | false | undefined
}

/** What an operation takes: parameters of the path, the query and the header by their names, and `body`. */
export type Params<Id extends OperationId> = Operations[Id]['params']

/** The names in `error` that an operation may answer. */
export type ErrorName<Id extends OperationId = OperationId> = Operations[Id]['errors'] | 'UnexpectedAnswer'

type EachError<Name> = Name extends string ? RollcallError<Name> : never

/** The errors that an operation may answer, one of which `error` tells from the others. */
export type ErrorOf<Id extends OperationId = OperationId> = EachError<ErrorName<Id>>

type Asked<P, Name> = Name extends keyof P ? P[Name] : undefined

/** Text in the place of records, if CSV is or may be asked for. */
type PieceOf<P, Line> = [Asked<P, 'format'>] extends ['csv']
  ? string
  : [Asked<P, 'excel'>] extends [true]
    ? string
    : 'csv' extends Asked<P, 'format'>
      ? string | Line
      : true extends Asked<P, 'excel'>
        ? string | Line
        : Line

/** A stream without the error that may end it: that is thrown. */
type Given<P, Data> =
  Data extends AsyncIterable<infer Line> ? AsyncIterable<PieceOf<P, Exclude<Line, BrokenOff>>> : Data

type SuccessOf<P, Answers> = {
  [Status in keyof Answers]: {
    readonly ok: true
    readonly status: Status
    readonly headers: Headers
    readonly data: Given<P, Answers[Status]>
  }
}[keyof Answers]

/** Every answer of an operation: `ok` tells what was asked for from a refusal, `status` and `error` tell the rest. */
export type AnswerOf<Id extends OperationId> = SuccessOf<Params<Id>, Operations[Id]['answers']> | ErrorOf<Id>

type Arguments<P> =
  Record<never, never> extends P ? [params?: P, options?: CallOptions] : [params: P, options?: CallOptions]

/** Without what leads to a 304, which has no data. */
type Unconditional<P, Answers> = 304 extends keyof Answers ? Omit<P, 'ifNoneMatch' | 'ifModifiedSince'> : P

type DataOf<Op extends Described> = Given<Op['params'], Op['answers'][Exclude<keyof Op['answers'], 304>]>

/** A page to wait for; or every record of the list, page by page. */
export type Listing<Page> = Promise<Page> &
  AsyncIterable<Page extends { items: readonly (infer Item)[] } ? Item : never>

interface Described {
  readonly params: object
  readonly answers: object
}

interface Streamed extends Described {
  readonly stream: unknown
}

type Method<Op extends Described> = Op extends Streamed
  ? <P extends Op['params'] = Op['params'] & Record<'format' | 'excel', undefined>>(
      ...args: Record<never, never> extends Op['params']
        ? [params?: P, options?: CallOptions]
        : [params: P, options?: CallOptions]
    ) => AsyncIterable<PieceOf<P, Exclude<Op['stream'], BrokenOff>>>
  : (
      ...args: Arguments<Unconditional<Op['params'], Op['answers']>>
    ) => ('cursor' | 'after') & keyof Op['params'] extends never ? Promise<DataOf<Op>> : Listing<DataOf<Op>>

type Methods = { readonly [Id in keyof Operations]: Method<Operations[Id]> }

type Tries = { readonly [Id in keyof Operations]: (...args: Arguments<Params<Id>>) => Promise<AnswerOf<Id>> }

/** The operations of a Rollcall service. */
export interface Client extends Methods {
  /** The same operations; a refusal is an answer, with its types, and is not thrown. What `fetch` throws, is. */
  readonly try: Tries
  /** Sends one request, once, and gives the answer as `fetch` does. */
  send<Id extends OperationId>(id: Id, params: Params<Id>, options?: CallOptions): Promise<Response>
}
