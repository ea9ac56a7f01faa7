import type { Caller, Guarded, Precondition, TokenPurpose } from '@rollcall/core'
import type { Resource } from '../conditional-request.ts'
import { type ErrorName, STATUS } from '../error-response.ts'
import type { Handler, RouteContext } from '../exchange.ts'
import type { HttpOptions, HttpUseCases, LimitedAction } from '../http-options.ts'
import type { Fields } from '../reading/fields.ts'
import type { Json, Properties, Schema, Value } from './schema.ts'

/** A method, and a path with its parameters in braces. */
export type Route = `${string} /${string}`

type ParametersIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Each in Name]: string } & ParametersIn<Rest>
  : unknown

/** An answer that is no JSON, which the handler sends itself: its content, by media type. */
export interface Media {
  readonly content: Readonly<Record<string, { readonly schema: Json }>>
}

/** What is in the body of an answer; null for nothing. */
export type Answer = Schema | Media | null
export const isMedia = (answer: Answer): answer is Media => answer !== null && 'content' in answer

type Answers = Readonly<Record<number, Answer>>

/**
 * How the body is taken: as a `form` or JSON, at most 16 KiB; as JSON alone, at most 512 KiB; as a merge patch
 * (RFC 7396); as a file of rows, or a picture; as a signed message of any type; `unused` for a form that says nothing.
 */
export type Reads = 'form' | 'json' | 'patch' | 'file' | 'picture' | 'message' | 'unused'

/** What is null in a form is as if it was left out. */
export type WithoutNull<T> = { readonly [Name in keyof T]: Exclude<T[Name], null> }
type BodyOf<B, As> = B extends Schema ? (As extends 'patch' ? Value<B> : WithoutNull<Value<B>>) : undefined

/** A request, as its handler gets it. */
export interface Call<Path = unknown, Query = unknown, Body = unknown> {
  readonly ctx: RouteContext
  readonly options: HttpOptions
  readonly useCases: HttpUseCases
  /** Only if the operation needs one. */
  readonly caller: Caller
  readonly path: Path
  readonly query: Query
  readonly body: Body
  /** The fields of the body as they came. */
  readonly fields: Fields
  /** @throws {InvalidInput} a field or a parameter is missing, unknown, came twice, or has the wrong type */
  readonly assertGood: () => void
  /** That, once a use case has found the record. */
  readonly whenFound: () => boolean
  /** That, after the conditions of the request: a use case looks the record up first (404 and 410, then 412, then 422). */
  readonly precondition: <Item>(resource?: Resource<Item>) => Precondition<Item>
}

export interface Sent<Status, Body> {
  readonly status: Status
  readonly body: Body
  /** The path of what was created. */
  readonly location?: string
  /** The part of the body that its entity tag is about; by default all of it. */
  readonly state?: unknown
  /** Milliseconds. */
  readonly lastModified?: number | undefined
}

/** What a handler answers. One that sends pages, files or streams does so itself. */
export type Reply<A extends Answers> = {
  [Status in keyof A]: A[Status] extends Schema ? Sent<Status, Value<A[Status]>> : { readonly status: Status }
}[keyof A]

// biome-ignore lint/suspicious/noConfusingVoidType: one that sends its answer itself returns nothing
type Given<A extends Answers> = Reply<A> | undefined | void

/** What an endpoint is, beyond what follows from its path. */
interface Declaration {
  readonly id: string
  readonly summary: string
  /** The use case that says which permission it takes; public if absent. */
  readonly guarded?: Guarded
  /** May also come with a token that has this permission. */
  readonly alsoGuarded?: Guarded
  /** Also for the user itself, whatever its roles. */
  readonly self?: boolean
  readonly headers?: Properties
  /** A caller who may not see the record gets the same 404 as for an unknown one. */
  readonly hidden?: boolean
  /** An example of the body; of a file, one of CSV. */
  readonly example?: Json | string
  /** What a body is that is a picture. */
  readonly picture?: Media
  /** It may be left out. */
  readonly bodyOptional?: boolean
  /** Also HTML, for clients that prefer it. */
  readonly orPage?: boolean
  /** Honours `If-Match`, `If-None-Match` and `If-Unmodified-Since`; with `read`, `If-Modified-Since`, too. */
  readonly conditional?: 'read' | 'write' | 'presence'
  /**
   * Again is as good as once, as HTTP promises it for every method but POST and PATCH: a client may repeat it after a lost
   * answer. False if it must not, because only the first answer has what it needs.
   */
  readonly idempotent?: boolean
  /** A member of the last line of a stream, without which that is incomplete. */
  readonly lastLine?: string
  /** Beyond those that follow from the rest. */
  readonly errors?: readonly ErrorName[]
  /** What the link in the path was signed for: any other is refused before the body is read. */
  readonly signed?: TokenPurpose
  /** How often somebody may ask is limited: by client, and by network. */
  readonly limited?: LimitedAction
  /** Scripts of the configured origins may call it. */
  readonly cors?: boolean
  /** What else a request goes through, before its token or its body is looked at. */
  readonly before?: (options: HttpOptions) => readonly Handler[]
}

export interface Operation extends Declaration {
  readonly route: Route
  readonly query: Properties
  readonly body?: Schema
  readonly reads?: Reads
  readonly answers: Answers
  readonly handle: (call: Call<never, never, never>) => unknown
}

/** The values of a query: one that is not `required` may be left out. */
type QueryOf<Q extends Properties> = { readonly [Name in keyof Q]: Value<Q[Name]> | undefined }

export const operation = <
  R extends Route,
  A extends Answers,
  Q extends Properties = Record<never, never>,
  B extends Schema | undefined = undefined,
  As extends Reads = 'form',
>(
  route: R,
  declaration: Declaration & {
    readonly query?: Q
    readonly body?: B
    readonly reads?: As
    readonly answers: A
    readonly handle: (call: Call<ParametersIn<R>, QueryOf<Q>, BodyOf<B, As>>) => Given<A> | Promise<Given<A>>
  },
): Operation => {
  const { body, query = {}, reads = body && 'form', handle, ...others } = declaration
  return {
    route,
    query,
    ...(body && { body }),
    ...(reads && { reads }),
    ...others,
    handle: handle as Operation['handle'],
  }
}

/** Whether requests of it may change something. */
export const isWriting = ({ route }: Pick<Operation, 'route'>): boolean => !route.startsWith('GET ')

/** Whether what is wrong with its fields is only said once the record was looked up. */
export const looksUpFirst = ({ conditional, orPage, errors = [] }: Operation): boolean =>
  conditional === 'write' ||
  conditional === 'presence' ||
  orPage === true ||
  errors.some((name) => STATUS[name] === 404 || STATUS[name] === 410)

/** Endpoints of one subject, in one section of the document. */
export interface ResourceOperations {
  readonly tag: string
  /** Whether answers, errors included, are pages for clients that prefer HTML. */
  readonly orPage: boolean
  readonly operations: readonly Operation[]
}

export const resource = (
  tag: string,
  operations: readonly Operation[],
  { orPage = false }: { readonly orPage?: boolean } = {},
): ResourceOperations => ({ tag, orPage, operations })

export const PAGE: Media = { content: { 'text/html': { schema: { type: 'string' } } } }
