import { type Answer, fieldOf } from './answer.ts'

/** What is known of the request. */
export interface Asked {
  readonly method: string
  readonly requestId: string | undefined
  readonly expected: readonly number[] | undefined
}

const SINGLE = ['content-length', 'content-type', 'date', 'etag', 'location', 'x-request-id', 'x-content-type-options']
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/
const BANNERS = ['server', 'x-powered-by', 'set-cookie']
const STATUSES = [200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 417, 422, 429, 431]

/** The rules that an answer breaks: each begins with a name that stays the same for the same rule. */
export const checkAnswer = (answer: Answer, asked: Asked | undefined, isBare = asked?.method === 'HEAD'): string[] => [
  ...checkStatus(answer, asked),
  ...checkFields(answer, asked),
  ...checkFraming(answer, asked),
  ...(answer.status >= 400 ? checkError(answer, isBare) : []),
]

const checkStatus = ({ status }: Answer, asked: Asked | undefined): string[] => {
  if (!STATUSES.includes(status)) return [`status: ${status} is not a status of the service`]
  const { expected } = asked ?? {}
  return expected === undefined || expected.includes(status)
    ? []
    : [`wrong-status: ${status} instead of ${expected.join(' or ')}`]
}

const checkFields = (answer: Answer, asked: Asked | undefined): string[] => {
  const names = answer.fields.map(([name]) => name.toLowerCase())
  const problems: string[] = []
  for (const name of SINGLE) {
    if (names.filter((other) => other === name).length > 1) problems.push(`repeated: ${name} is repeated`)
  }
  for (const name of BANNERS) if (names.includes(name)) problems.push(`banner: ${name}`)
  if (!DATE.test(fieldOf(answer, 'date') ?? '')) problems.push('date: missing')
  if (fieldOf(answer, 'x-content-type-options') !== 'nosniff') problems.push('nosniff: missing')
  const requestId = fieldOf(answer, 'x-request-id') ?? ''
  if (!REQUEST_ID.test(requestId)) problems.push('request-id: missing')
  else if (asked?.requestId !== undefined && requestId !== asked.requestId && !isOfServer(answer))
    problems.push(`request-id: ${requestId} instead of ${asked.requestId}`)
  return problems
}

// A request that cannot be parsed has no id.
const isOfServer = (answer: Answer): boolean =>
  [400, 405, 408, 413, 431].includes(answer.status) && fieldOf(answer, 'connection') === 'close'

const checkFraming = (answer: Answer, asked: Asked | undefined): string[] => {
  const { status, body, untilClose } = answer
  const length = fieldOf(answer, 'content-length')
  const problems: string[] = []
  if (status === 204 || status === 304) {
    if (length !== undefined || fieldOf(answer, 'transfer-encoding') !== undefined)
      problems.push(`framing: a ${status} with a length`)
  } else if (length === undefined && fieldOf(answer, 'transfer-encoding') === undefined && asked !== undefined)
    problems.push('framing: neither a length nor chunks')
  if (untilClose && asked !== undefined) problems.push('framing: a body that ends with the connection')
  if (body.length > 0 && fieldOf(answer, 'content-type') === undefined) problems.push('type: missing for a body')
  if (/^application\/json./i.test(fieldOf(answer, 'content-type') ?? '')) problems.push('type: JSON with parameters')
  if (/^application\/json$/.test(fieldOf(answer, 'content-type') ?? '') && body.length > 0 && status < 400)
    problems.push(...checkJson(body))
  return problems
}

const checkJson = (body: Buffer): string[] => {
  try {
    JSON.parse(body.toString('utf8'))
    return []
  } catch {
    return ['json: the body is not JSON']
  }
}

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  InvalidInput: ['error', 'message', 'details'],
  InternalError: ['error', 'message', 'request_id'],
}
const PLAIN = ['error', 'message']

// Parts of stack traces, SQL statements, paths and internal errors.
const LEAK = /\bat (?:\w+\.)*\w+ \(|node:internal|node_modules|\bSQLITE_|\bSELECT \w|\bINSERT INTO\b|[/\\]packages[/\\]/

/** The rules for errors that an answer breaks. */
const checkError = (answer: Answer, isBare: boolean): string[] => [
  ...fieldsOfError(answer),
  ...(isBare ? [] : bodyOfError(answer)),
]

const fieldsOfError = (answer: Answer): string[] => {
  const { status } = answer
  const problems: string[] = []
  const lacks = (name: string, pattern = /./) => !pattern.test(fieldOf(answer, name) ?? '')
  if (
    status === 401 &&
    lacks('www-authenticate', /^Bearer realm="rollcall"(?:, [\w]+="[\x20\x21\x23-\x5b\x5d-\x7e]*")*$/)
  )
    problems.push('challenge: a 401 without one')
  if (status === 405 && lacks('allow')) problems.push('allow: a 405 without it')
  if ((status === 429 || status === 503) && lacks('retry-after', /^\d+$/))
    problems.push(`retry-after: ${status} without it`)
  return problems
}

const bodyOfError = (answer: Answer): string[] => {
  const { status, body } = answer
  const type = fieldOf(answer, 'content-type')
  const text = body.toString('utf8')
  const leak = LEAK.exec(text)
  const problems = leak === null ? [] : [`leak: '${leak[0]}'`]
  if (type === 'text/html; charset=utf-8') return problems
  if (type !== 'application/json') return [...problems, `error-type: ${type}`]
  return [...problems, ...membersOfError(status, text)]
}

const membersOfError = (status: number, text: string): string[] => {
  const record = parsed(text)
  if (record === undefined) return ['error-body: not a JSON object']
  const { error, message, details } = record
  if (typeof error !== 'string' || typeof message !== 'string' || message === '')
    return ['error-body: not {error, message}']
  const problems: string[] = []
  if (ERROR_STATUSES[error] !== status) problems.push(`error-name: ${error} with ${status}`)
  const members = MEMBERS[error] ?? PLAIN
  if (Object.keys(record).join() !== members.join()) problems.push(`error-body: ${Object.keys(record).join()}`)
  if (error === 'InvalidInput' && !areDetails(details)) problems.push('error-details: not a list of {field, message}')
  return problems
}

const areDetails = (details: unknown): boolean =>
  Array.isArray(details) &&
  details.length > 0 &&
  details.every(
    (detail: unknown) =>
      typeof detail === 'object' && detail !== null && Object.keys(detail).join() === 'field,message',
  )

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Every error of the contract and its status, deliberately not imported from the service. */
const ERROR_STATUSES: Readonly<Record<string, number | undefined>> = {
  AddressSuppressed: 409,
  EmailTaken: 409,
  ExpectationFailed: 417,
  FeedInUse: 409,
  FeedNotFound: 404,
  HeadersTooLarge: 431,
  InsufficientPermissions: 403,
  InternalError: 500,
  InvalidInput: 422,
  KeysNotRotatable: 409,
  LastAdministrator: 409,
  LinkNotValid: 404,
  MalformedRequest: 400,
  MethodNotAllowed: 405,
  NotFound: 404,
  OwnTokensOff: 409,
  PayloadTooLarge: 413,
  PreconditionFailed: 412,
  ReceiptNotFound: 404,
  RequestTimeout: 408,
  SubscriptionEnded: 409,
  SubscriptionNotFound: 404,
  SuppressionNotFound: 404,
  TooManyRequests: 429,
  Unauthenticated: 401,
  Unavailable: 503,
  UnsupportedMediaType: 415,
  UserDeleted: 410,
  UserNotFound: 404,
  WebhookNotFound: 404,
}
