import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { StreamInput } from './input.ts'

const SEEDS = path.join(import.meta.dirname, 'seeds')
const VECTORS = path.resolve(import.meta.dirname, '../../../shared/vectors')
const LONGEST_TEXT = 2_000

/** An input that was a finding once, or is similar to one. */
interface Seed {
  /** The reason for keeping it. */
  readonly why: string
  /** Latin-1: one character per byte. `{admin}` stands for a good token. */
  readonly bytes: string
}

export const seedIn = (file: string): Seed => JSON.parse(readFileSync(file, 'utf8'))

/** The seed whole, in halves, and byte by byte. */
export const inputsOf = ({ bytes }: Seed, admin: string): StreamInput[] =>
  (['whole', 'bytes', 'halves'] as const).map((way) => ({
    kind: 'stream',
    number: -1,
    bytes: Buffer.from(bytes.replaceAll('{admin}', admin), 'latin1'),
    way,
    ending: 'half-close',
  }))

export const keptSeeds = (): Seed[] =>
  readdirSync(SEEDS)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => seedIn(path.join(SEEDS, name)))

/** Every text in the test vectors beside the project, where there are any. */
export const vectorTexts = (): string[] => {
  const texts = new Set<string>()
  const files = existsSync(VECTORS) ? readdirSync(VECTORS).filter((name) => name.endsWith('.json')) : []
  for (const name of files)
    JSON.parse(readFileSync(path.join(VECTORS, name), 'utf8'), (_, value: unknown) => {
      if (typeof value === 'string' && value.length <= LONGEST_TEXT) texts.add(value)
      return value
    })
  return [...texts]
}
