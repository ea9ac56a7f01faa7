import type { Random } from '../../../proving/shared/random.ts'
import { HEADER_NAMES, HEADER_VALUES, METHODS, PATHS } from '../dictionary.ts'
import type { RequestInput, Surroundings } from '../input.ts'
import { mutatedText } from '../mutate.ts'
import { filled } from './target.ts'
import { anyText } from './values.ts'

/** A request before it becomes bytes. */
interface Draft {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Buffer | undefined
}

const LINE_BREAK = /[\r\n]/g
// Fields that decide where a request ends: only streams use them.
const FRAMING =
  /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

/** Its end is certain, whatever else is wrong. */
export const requestBytes = ({ method, target, headers, body }: Draft): Buffer => {
  const lines = [`${method} ${inLatin1(target).replace(LINE_BREAK, '')} HTTP/1.1`]
  for (const [name, value] of headers) {
    const field = inLatin1(name).replace(LINE_BREAK, '')
    if (!FRAMING.test(field.trim())) lines.push(`${field}: ${inLatin1(value).replace(LINE_BREAK, '')}`)
  }
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** The bytes of UTF-8, as Latin-1. */
const inLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const anyField = (random: Random, around: Surroundings): [string, string] => {
  let name: string = random.pick(HEADER_NAMES)
  let value: string = random.oneIn(3) ? anyText(random, around) : random.pick(HEADER_VALUES)
  if (random.oneIn(15)) name = mutatedText(random, name)
  if (random.oneIn(6)) value = mutatedText(random, value)
  return [name, value]
}

/** Header fields of every kind, few or very many, single or repeated, for any endpoint. */
export const headersInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const { admin, noRoles } = around.credentials
  const method = random.pick(METHODS)
  const most = random.oneIn(50) ? 300 : 6
  const fields = Array.from({ length: random.oneIn(50) ? random.below(most) : random.few(most) }, () =>
    anyField(random, around),
  )
  const body = method === 'POST' || method === 'PUT' ? Buffer.from('email=zqperson-1%40example.com') : undefined
  const target = filled(random, around, random.pick(PATHS))
  const given: [string, string][] = [['Host', 'localhost'], ...fields]
  if (random.oneIn(2)) given.push(['Authorization', `Bearer ${random.pick([admin, noRoles])}`])
  const bytes = requestBytes({ method, target, headers: given, body })
  return { kind: 'headers', number, bytes, method, requestId: undefined, expected: undefined }
}
