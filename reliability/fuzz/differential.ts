import type { Answer } from './answers/answer.ts'
import { generate } from './generators/generate.ts'
import type { Input, RequestInput, Violation } from './input.ts'
import { Connection } from './lanes/connection.ts'
import { openService } from './open-service.ts'
import type { Options } from './options.ts'

/** Kinds whose answers depend on the request alone. */
const KINDS = ['body', 'headers', 'import', 'target', 'token']

/**
 * Sends each input to a service on SQLite and to one on PostgreSQL, and reports where the answers differ
 * in more than times and random values.
 */
export const compareStores = async ({ seed, first, inputs }: Pick<Options, 'seed' | 'first' | 'inputs'>) => {
  const findings: Violation[] = []
  const found = (problem: string): void => {
    findings.push({ problem, input: undefined })
  }
  await using sqlite = await openService('sqlite', found)
  await using postgres = await openService('postgres', found)
  let compared = 0
  for (let number = first; number < first + inputs; number++) {
    const input = generate(seed, number, sqlite.around)
    if (!isComparable(input)) continue
    const [one, other] = await Promise.all([sqlite, postgres].map(({ service }) => ask(service.port, input)))
    compared++
    if (one !== other) findings.push({ problem: `difference: ${firstDifference(one, other)}`, input })
  }
  return { compared, findings }
}

const firstDifference = (one = '', other = ''): string => {
  const lines = other.split('\n')
  const [line = '', at = 0] =
    one
      .split('\n')
      .map((text, n) => [text, n] as const)
      .find(([text, n]) => text !== lines[n]) ?? []
  return `${line.slice(0, 300)}\n  on PostgreSQL: ${lines[at]?.slice(0, 300)}`
}

// Links are random, so each service has its own; the other paths show what runs in the background.
const isComparable = (input: Input): input is RequestInput =>
  input.kind !== 'stream' &&
  KINDS.includes(input.kind) &&
  !/^\w+ \S*\/(?:confirm|refuse|unsubscribe|preferences|readyz|challenge|audit|events)\b/.test(
    input.bytes.toString('latin1', 0, 200),
  )

const ask = async (port: number, { bytes, method }: RequestInput): Promise<string> => {
  const connection = await Connection.open(port)
  connection.write(bytes)
  const { answers, end, problem } = await connection.receive([method])
  connection.close()
  const [answer] = answers
  return answer === undefined ? `${end} ${problem}` : timeless(answer)
}

const OF_THE_MOMENT = /^(?:date|etag|last-modified|x-request-id)$/i

/** The answer without times and random values. */
const timeless = ({ status, fields, body }: Answer): string => {
  const kept = fields.filter(([name]) => !OF_THE_MOMENT.test(name)).map((field) => field.join(': '))
  const text = body
    .toString('utf8')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, 'T')
    .replace(/[0-9a-f]{32,64}/g, 'HASH')
    .replace(/(?:cursor=|"next":")[\w-]+/g, 'NEXT')
    .replace(/"(?:secret|previous_secret)":"[^"]+"/g, 'SECRET')
    .replace(/name="stamp" value="[^"]+"/g, 'STAMP')
    // Refusals are written within a second, so the trail may not have them yet.
    .replace(/"audit":\[[\s\S]*$/, '"audit"')
  return [status, ...kept, '', text].join('\n')
}
