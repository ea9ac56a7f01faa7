import type { RequestListener } from 'node:http'
import {
  type ConsentSource,
  camelCased,
  DomainError,
  InvalidInput,
  type SubscribeCommand,
  type SubscribeResult,
} from '@rollcall/core'
import { createApp } from './app.ts'
import { networkOf } from './client-address.ts'
import { errorResponseTo } from './error-response.ts'
import type { HttpOptions } from './http-options.ts'
import type { WithoutNull } from './operation/operation.ts'
import { Fields } from './reading/fields.ts'
import { SubscribeForm, signUpResult } from './resources/sign-up.ts'

// For a host whose framework is another. No type of Koa may appear here: they do not compile beside Express's own.
export type {
  AnsweredRequest,
  HttpLog,
  HttpObserver,
  HttpOptions,
  HttpTracing,
  HttpUseCases,
  LimitedAction,
  RateLimiter,
  RateLimitState,
} from './http-options.ts'
export type { MountedAnswer, MountedInterface, MountedRequest } from './mounted-interface.ts'
export type { Pages } from './pages/pages.ts'
export { accessTokenIn } from './reading/access-token.ts'

/** The whole interface, for any framework that takes a request listener of Node. It reads its bodies itself. */
export const createHandler = (options: HttpOptions): RequestListener => createApp(options).callback()

/** An answer to send as it is; `headers` has its type and length. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const answer = (status: number, body: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  },
  body,
})

/**
 * A sign-up out of the fields that a framework read from a form or from JSON.
 * @throws {InvalidInput} a field is missing, came twice, or has the wrong type
 */
export const readSignUp = (body: unknown): Omit<SubscribeCommand, 'source'> => {
  const isObject = typeof body === 'object' && body !== null
  const fields = new Fields('form', isObject ? Object.entries(body) : [])
  const { value, problems } = fields.read(SubscribeForm)
  if (problems.length > 0) throw new InvalidInput(problems)
  return camelCased(value as WithoutNull<typeof value>)
}

/** Where a request came from, as evidence of consent. `address` is the client's; only its network is kept. */
export const consentSource = (
  via: string,
  { address = '', userAgent }: { readonly address?: string | undefined; readonly userAgent?: string | undefined },
): ConsentSource => ({ via, clientAddress: networkOf(address), userAgent: userAgent || undefined })

/** The answer to a sign-up, the same for every address; for a form that named `feeds`, of all of them. */
export const signUpAnswer = (result: SubscribeResult, { feeds }: Pick<SubscribeCommand, 'feeds'> = {}): Answer =>
  answer(200, JSON.stringify(signUpResult(result, feeds !== undefined)))

/** The answer to an error of Rollcall; undefined for any other, which is the host's own to answer. */
export const errorAnswer = (error: unknown): Answer | undefined => {
  if (!(error instanceof DomainError)) return undefined
  const { status, body, headers } = errorResponseTo(error, '')
  return answer(status, body, headers)
}
