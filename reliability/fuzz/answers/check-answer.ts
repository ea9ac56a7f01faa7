import { type Answer, fieldOf } from './answer.ts'
import { checkError } from './check-error.ts'

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
  if (!STATUSES.includes(status)) return [`status: ${status} is nothing that the service answers`]
  const { expected } = asked ?? {}
  return expected === undefined || expected.includes(status)
    ? []
    : [`wrong-status: ${status} instead of ${expected.join(' or ')}`]
}

const checkFields = (answer: Answer, asked: Asked | undefined): string[] => {
  const names = answer.fields.map(([name]) => name.toLowerCase())
  const problems: string[] = []
  for (const name of SINGLE) {
    if (names.filter((other) => other === name).length > 1) problems.push(`repeated: ${name} comes twice`)
  }
  for (const name of BANNERS) if (names.includes(name)) problems.push(`banner: ${name}`)
  if (!DATE.test(fieldOf(answer, 'date') ?? '')) problems.push('date: it has none')
  if (fieldOf(answer, 'x-content-type-options') !== 'nosniff') problems.push('nosniff: it does not say so')
  const requestId = fieldOf(answer, 'x-request-id') ?? ''
  if (!REQUEST_ID.test(requestId)) problems.push('request-id: it has none')
  else if (asked?.requestId !== undefined && requestId !== asked.requestId && !isOfServer(answer))
    problems.push(`request-id: ${requestId} instead of ${asked.requestId}`)
  return problems
}

// Bytes of which no request could be made have no name.
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
  if (untilClose && asked !== undefined) problems.push('framing: a body that only the connection ends')
  if (body.length > 0 && fieldOf(answer, 'content-type') === undefined) problems.push('type: a body without one')
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
    return ['json: the body is none']
  }
}
