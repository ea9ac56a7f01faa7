import type * as v from 'valibot'
import { CliError, ExitCode } from '../cli-error.ts'
import { refusalOf } from './refusal.ts'
import { decode } from './schemas.ts'
import { parsedJson, unexpectedAnswer } from './unexpected-answer.ts'

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
  const text = await textOf(response)
  return {
    status: response.status,
    entityTag: response.headers.get('ETag') ?? undefined,
    as: (schema) => decode(schema, parsed(text, response)),
  }
}

/** What a refusal says. */
export const refusalIn = async (server: string, response: Response): Promise<Error> => {
  const text = await textOf(response)
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

const textOf = async (response: Response): Promise<string> => {
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
  return new CliError(
    `The server ${server} redirects to ${where}, which is not followed. If that is the right server, give it with --server.`,
    { name: 'Redirected', exitCode: ExitCode.unusable },
  )
}
