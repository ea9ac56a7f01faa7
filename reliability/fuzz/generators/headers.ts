import { HEADER_NAMES, HEADER_VALUES, METHODS, PATHS } from '../dictionary.ts'
import type { RequestInput } from '../input.ts'
import { mutatedText } from '../mutate.ts'
import type { Random } from '../random.ts'
import type { Surroundings } from '../surroundings.ts'
import { requestBytes } from './draft.ts'
import { filled } from './target.ts'
import { anyText } from './values.ts'

const anyField = (random: Random, around: Surroundings): [string, string] => {
  let name: string = random.pick(HEADER_NAMES)
  let value: string = random.oneIn(3) ? anyText(random, around) : random.pick(HEADER_VALUES)
  if (random.oneIn(15)) name = mutatedText(random, name)
  if (random.oneIn(6)) value = mutatedText(random, value)
  return [name, value]
}

/** Header fields of every sort, few or very many, once or several times, on any endpoint. */
export const headersInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const { admin, nobody } = around.credentials
  const method = random.pick(METHODS)
  const most = random.oneIn(50) ? 300 : 6
  const fields = Array.from({ length: random.oneIn(50) ? random.below(most) : random.few(most) }, () =>
    anyField(random, around),
  )
  const body = method === 'POST' || method === 'PUT' ? Buffer.from('email=zqperson-1%40example.com') : undefined
  const target = filled(random, around, random.pick(PATHS))
  const given: [string, string][] = [['Host', 'localhost'], ...fields]
  if (random.oneIn(2)) given.push(['Authorization', `Bearer ${random.pick([admin, nobody])}`])
  const bytes = requestBytes({ method, target, headers: given, body })
  return { kind: 'headers', number, bytes, method, requestId: undefined, expected: undefined }
}
