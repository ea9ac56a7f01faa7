import { type Answer, fieldOf } from './answer.ts'
import { ERROR_STATUSES } from './error-statuses.ts'

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  InvalidInput: ['error', 'message', 'details'],
  InternalError: ['error', 'message', 'request_id'],
}
const PLAIN = ['error', 'message']

// What a stack, a statement, a path or a defect looks like.
const LEAK = /\bat (?:\w+\.)*\w+ \(|node:internal|node_modules|\bSQLITE_|\bSELECT \w|\bINSERT INTO\b|[/\\]packages[/\\]/

/** Which rules an error breaks that every error has to keep. */
export const checkError = (answer: Answer, isBare: boolean): string[] => [
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
