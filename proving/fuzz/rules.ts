import { answersIn, exchange, fieldOf, NotAnAnswer, type RawAnswer, type Sent } from './exchange.ts'

/** One input, and what is known of its answer. */
export interface Input extends Sent {
  readonly kind: string
  /** Whether it is one request whose end is certain; else any bytes. */
  readonly isRequest: boolean
  /** What the answer must repeat. */
  readonly requestId: string | undefined
  /** The only correct statuses; undefined if only the service can know. */
  readonly expected: readonly number[] | undefined
}

const SINGLE = ['content-length', 'content-type', 'date', 'etag', 'location', 'x-request-id', 'x-content-type-options']
const BANNERS = ['server', 'x-powered-by', 'set-cookie']
const STATUSES = [200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 417, 422, 429, 431]
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/
const CHALLENGE = /^Bearer realm="rollcall"(?:, [\w]+="[\x20\x21\x23-\x5b\x5d-\x7e]*")*$/
// Parts of stack traces, SQL statements, paths and internal errors.
const LEAK = /\bat (?:\w+\.)*\w+ \(|node:internal|node_modules|\bSQLITE_|\bSELECT \w|\bINSERT INTO\b|[/\\]packages[/\\]/

/** Every error of the contract by its status, deliberately not taken from the service. */
const ERRORS: Readonly<Record<number, string>> = {
  400: 'MalformedRequest',
  401: 'Unauthenticated',
  403: 'InsufficientPermissions SignatureNotValid',
  404: `FeedNotFound LinkNotValid LogoNotFound NotFound ReceiptNotFound SubscriptionNotFound SuppressionNotFound
    TokenNotFound UndeliverableNotFound UserNotFound WebhookNotFound`,
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: `AddressSuppressed EmailTaken FeedInUse FieldInUse KeysNotRotatable LastAdministrator OwnTokensOff
    SubscriptionEnded SuspensionNotKept UserSuspended`,
  410: 'UserDeleted',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  417: 'ExpectationFailed',
  422: 'InvalidInput',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
}
const MEMBERS: Readonly<Record<string, string>> = { InvalidInput: 'error,message,details' }

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const isDetail = (detail: unknown): boolean =>
  typeof detail === 'object' && detail !== null && Object.keys(detail).join() === 'field,message'

/** The rules that an answer breaks: each begins with a name that stays the same for the same rule. */
const brokenBy = (answer: RawAnswer, { isRequest, requestId, expected }: Omit<Input, keyof Sent>): string[] => {
  const { status, fields, body, isBare, untilClose } = answer
  const problems: string[] = []
  const rule = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem)
  }
  const of = (name: string): string => fieldOf(answer, name) ?? ''
  const names = fields.map(([name]) => name.toLowerCase())
  const type = of('content-type')
  rule(STATUSES.includes(status), `status: ${status} is not a status of the service`)
  rule(expected?.includes(status) !== false, `wrong-status: ${status} instead of ${expected?.join(' or ')}`)
  for (const name of SINGLE) rule(names.filter((other) => other === name).length < 2, `repeated: ${name} is repeated`)
  for (const name of BANNERS) rule(!names.includes(name), `banner: ${name}`)
  rule(DATE.test(of('date')), 'date: missing')
  rule(of('x-content-type-options') === 'nosniff', 'nosniff: missing')
  const id = of('x-request-id')
  // A request that cannot be parsed has no id.
  const isUnread = [400, 405, 408, 413, 431].includes(status) && of('connection') === 'close'
  rule(REQUEST_ID.test(id), 'request-id: missing')
  rule(requestId === undefined || id === requestId || isUnread, `request-id: ${id} instead of ${requestId}`)
  const isFramed = names.includes('content-length') || names.includes('transfer-encoding')
  const isEmpty = status === 204 || status === 304
  rule(!(isEmpty && isFramed), `framing: a ${status} with a length`)
  rule(isEmpty || isFramed || !isRequest, 'framing: neither a length nor chunks')
  rule(!(untilClose && isRequest), 'framing: a body that ends with the connection')
  rule(body.length === 0 || type !== '', 'type: missing for a body')
  rule(!/^application\/json./i.test(type), 'type: JSON with parameters')
  const isJson = type === 'application/json' && body.length > 0
  rule(!isJson || parsed(body) !== undefined, 'json: the body is not JSON')
  if (status < 400) return problems
  rule(status !== 401 || CHALLENGE.test(of('www-authenticate')), 'challenge: a 401 without one')
  rule(status !== 405 || of('allow') !== '', 'allow: a 405 without it')
  rule(![429, 503].includes(status) || /^\d+$/.test(of('retry-after')), `retry-after: ${status} without it`)
  if (isBare) return problems
  const leak = LEAK.exec(body.toString('utf8'))
  rule(leak === null, `leak: '${leak?.[0]}'`)
  if (type === 'text/html; charset=utf-8') return problems
  rule(type === 'application/json', `error-type: ${type}`)
  const { error, message, details, ...more } = (parsed(body) ?? {}) as Readonly<Record<string, unknown>>
  rule(typeof error === 'string' && typeof message === 'string' && message !== '', 'error-body: not {error, message}')
  rule(ERRORS[status]?.split(/\s+/).includes(`${error}`) === true, `error-name: ${error} with ${status}`)
  const members = ['error', 'message', ...(details === undefined ? [] : ['details']), ...Object.keys(more)].join()
  rule(members === (MEMBERS[`${error}`] ?? 'error,message'), `error-body: ${members}`)
  const areDetails = Array.isArray(details) && details.length > 0 && details.every(isDetail)
  rule(error !== 'InvalidInput' || areDetails, 'error-details: not a list of {field, message}')
  return problems
}

// Blank lines in front of a request are to be ignored (RFC 9112 section 2.2).
const SAYS_SOMETHING = /[^\r\n]/

/** Sends an input, and says what is wrong with the answers. */
export const tried = async (port: number, input: Input, patience?: number) => {
  const { received, hangs, halted } = await exchange(port, input, patience)
  const says = SAYS_SOMETHING.test(input.bytes.toString('latin1'))
  try {
    const answers = answersIn(received)
    const problems = answers.flatMap((answer) => brokenBy(answer, input))
    if (hangs) problems.push('hang: the connection stays open')
    else if (answers.length === 0 && says && !halted) problems.push('silence: no answer')
    else if (answers.length > 1 && input.isRequest) problems.push('answers: more than one to one request')
    return { problems, statuses: answers.map(({ status }) => status) }
  } catch (error) {
    if (error instanceof NotAnAnswer) return { problems: [`not-http: ${error.message}`], statuses: [] }
    throw error
  }
}
