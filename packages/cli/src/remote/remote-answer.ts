import * as core from '@rollcall/core'
import type * as v from 'valibot'
import { CliError, ExitCode } from '../cli-error.ts'
import { decode, parsedJson, serverError, unexpectedAnswer } from './decode.ts'
import { schemas } from './schemas.ts'

/** What the body of an error says. */
interface Refused {
  readonly message: string
  readonly details: readonly core.FieldProblem[]
}

/** Every error of the domain comes back as what it was on the server; a forgotten one does not compile. */
const ERRORS: Readonly<Record<core.DomainErrorName, (refused: Refused) => core.DomainError>> = {
  AddressSuppressed: () => new core.AddressSuppressed(),
  EmailTaken: ({ message }) => new core.EmailTaken({ message }),
  FeedInUse: ({ message }) => new core.FeedInUse(...inUse(message)),
  FeedNotFound: () => new core.FeedNotFound(),
  FieldInUse: ({ message }) => new core.FieldInUse(...inUse(message)),
  InsufficientPermissions: ({ message }) => new core.InsufficientPermissions(message),
  InvalidInput: ({ details }) => new core.InvalidInput(details),
  KeysNotRotatable: ({ message }) => new core.KeysNotRotatable(message),
  LastAdministrator: () => new core.LastAdministrator(),
  LinkNotValid: () => new core.LinkNotValid(),
  LogoNotFound: () => new core.LogoNotFound(),
  MalformedRequest: ({ message }) => new core.MalformedRequest(message),
  OwnTokensOff: () => new core.OwnTokensOff(),
  PreconditionFailed: () => new core.PreconditionFailed(),
  ReceiptNotFound: () => new core.ReceiptNotFound(),
  SignatureNotValid: () => new core.SignatureNotValid(),
  SuspensionNotKept: () => new core.SuspensionNotKept(),
  SubscriptionEnded: () => new core.SubscriptionEnded(),
  SubscriptionNotFound: () => new core.SubscriptionNotFound(),
  SuppressionNotFound: () => new core.SuppressionNotFound(),
  TokenNotFound: () => new core.TokenNotFound(),
  Unauthenticated: ({ message }) => new core.Unauthenticated(message, { tokenRefused: true }),
  Unavailable: ({ message }) => new core.Unavailable({ unsure: message === PERHAPS_DONE }),
  UndeliverableNotFound: () => new core.UndeliverableNotFound(),
  UserDeleted: () => new core.UserDeleted(),
  UserNotFound: () => new core.UserNotFound(),
  UserNameTaken: () => new core.UserNameTaken(),
  UserSuspended: () => new core.UserSuspended(),
  WebhookNotFound: () => new core.WebhookNotFound(),
}

/** Without the sentence that says how to do it over HTTP. */
const inUse = (message: string): ConstructorParameters<typeof core.FieldInUse> => {
  const [said = message] = message.split(" The query '")
  return [said, { erasable: said !== message }]
}

const PERHAPS_DONE = new core.Unavailable({ unsure: true }).message

const isDomainErrorName = (name: string): name is core.DomainErrorName => Object.hasOwn(ERRORS, name)

/** What only HTTP refuses, and what to end with. All others are defects of one side. */
const OF_HTTP: ReadonlyMap<string, ExitCode> = new Map([
  ['HeadersTooLarge', ExitCode.usage],
  ['PayloadTooLarge', ExitCode.usage],
  ['RequestTimeout', ExitCode.unusable],
  ['TooManyRequests', ExitCode.unusable],
])

/** The error that an error body stands for. */
export const refusalOf = (body: unknown): Error => {
  const { error: name, message, request_id: report, details = [] } = decode(schemas.refusal, body)
  if (isDomainErrorName(name)) return ERRORS[name]({ message, details })
  if (name === 'NotFound' || name === 'MethodNotAllowed') return unexpectedAnswer(`${name}: ${message}`)
  const sentence = report === undefined ? message : `${message} (request_id ${report})`
  return new CliError(`The server says: ${sentence}`, { name, exitCode: OF_HTTP.get(name) ?? ExitCode.unexpected })
}

/** An answer that was taken whole. */
export interface RemoteAnswer {
  readonly status: number
  readonly entityTag: string | undefined
  /** Its body. */
  as<const Schema extends v.GenericSchema>(schema: Schema): v.InferOutput<Schema>
}

// Far more than a page of any list.
const LARGEST = 16 * 1024 * 1024

/** @throws {CliError} it is not an answer of a Rollcall server, or larger than any of them */
export const wholeAnswer = async (response: Response): Promise<RemoteAnswer> => {
  const text = await bodyOf(response)
  return {
    status: response.status,
    entityTag: response.headers.get('ETag') ?? undefined,
    as: (schema) => decode(schema, parsed(text, response)),
  }
}

/** What a refusal says. */
export const refusalIn = async (server: string, response: Response): Promise<Error> => {
  const text = await bodyOf(response)
  const to = response.headers.get('Location')
  if (response.status >= 300 && response.status < 400 && to !== null) return sentElsewhere(server, to)
  return refusalOf(parsed(text, response))
}

/** Every answer of a Rollcall server names its request; another server that answers everything with 200 does not. */
export const requireOurs = (response: Response): void => {
  if (response.headers.get('X-Request-Id') === null) throw unexpectedAnswer(described(response))
}

const parsed = (text: string, response: Response): unknown => parsedJson(text, described(response))

const described = ({ status, headers }: Response): string =>
  `status ${status}, ${headers.get('Content-Type')?.split(';')[0] ?? 'no type'}`

const bodyOf = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > LARGEST) throw unexpectedAnswer(`more than ${LARGEST} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

// The token must not be sent to another server.
const sentElsewhere = (server: string, to: string): CliError => {
  const target = URL.parse(to, `${server}/`)
  const where = target === null ? 'another address' : target.origin
  return serverError(
    'Redirected',
    `The server ${server} redirects to ${where}, which is not followed. If that is the right server, give it with --server.`,
  )
}
