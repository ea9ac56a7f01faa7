import { Random } from '../../random.ts'
import type { Input, Kind, Surroundings } from '../input.ts'
import { bodyInput } from './body.ts'
import { importInput } from './import.ts'
import { linkInput } from './link.ts'
import { headersInput } from './request.ts'
import { streamInput } from './stream.ts'
import { targetInput } from './target.ts'
import { tokenInput } from './token.ts'

type Generator = (random: Random, around: Surroundings, number: number) => Input

const GENERATORS: Readonly<Record<Kind, Generator>> = {
  body: bodyInput,
  headers: headersInput,
  import: importInput,
  link: linkInput,
  stream: streamInput,
  target: targetInput,
  token: tokenInput,
}

/** Of a hundred inputs. Streams need a connection each, and imports are many inputs in one. */
const SHARES: Readonly<Record<Kind, number>> = {
  body: 27,
  headers: 17,
  import: 4,
  link: 8,
  stream: 14,
  target: 16,
  token: 14,
}

const DECK = Object.entries(SHARES).flatMap(([kind, share]) => Array<Kind>(share).fill(kind as Kind))

/** The input with this number: always the same for a seed, whatever was generated before. */
export const generate = (seed: number, number: number, around: Surroundings): Input => {
  const random = new Random(seed, number)
  return GENERATORS[random.pick(DECK)](random, around, number)
}
