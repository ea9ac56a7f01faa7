import path from 'node:path'
import { type Cores, run } from '../command.ts'
import type { Spread } from '../statistics.ts'
import type { Target } from '../targets.ts'

/** What one hostile token has cost the verifier. */
export interface AttackFigures {
  readonly name: string
  /** Of a processor, all threads. */
  readonly milliseconds: Spread
  /** Allocated meanwhile, garbage included. */
  readonly bytes: Spread
  readonly accepted: boolean
  /** Requests to the identity provider, of this token and those before it. */
  readonly asked: number
}

const PROCESS = path.join(import.meta.dirname, 'attack-process.ts')
const MOST_MILLISECONDS = 5
const MOST_MEGABYTES = 1
const MEGABYTE = 1e6

/** @throws {Error} a hostile token was accepted, or caused more than one request to the identity provider */
export const measureAttacks = async ({ server }: Cores): Promise<readonly AttackFigures[]> => {
  const args = ['--expose-gc', '--max-semi-space-size=64', PROCESS]
  const figures: AttackFigures[] = JSON.parse(await run(process.execPath, args, server))
  const amiss = figures.find(({ accepted, asked }) => accepted || asked > 1)
  if (amiss !== undefined) throw new Error(`a token got through, or made requests: ${JSON.stringify(amiss)}`)
  return figures
}

export const attackTargets = (figures: readonly AttackFigures[]): Target[] => {
  const worst = (figure: (one: AttackFigures) => Spread): Spread =>
    figures.map(figure).reduce((one, other) => (other.median > one.median ? other : one))
  const [time, space] = [worst(({ milliseconds }) => milliseconds), worst(({ bytes }) => bytes)]
  const [median, least, most] = [space.median, space.least, space.most].map((bytes) => bytes / MEGABYTE)
  const megabytes = { median: median ?? Number.NaN, least: least ?? Number.NaN, most: most ?? Number.NaN }
  return [
    {
      ...{ name: 'worst hostile token, processor time', value: time.median, spread: time, unit: 'ms' },
      ...{ limit: MOST_MILLISECONDS, reached: time.median < MOST_MILLISECONDS },
    },
    {
      ...{ name: 'worst hostile token, memory', value: megabytes.median, spread: megabytes, unit: 'MB' },
      ...{ limit: MOST_MEGABYTES, reached: megabytes.median < MOST_MEGABYTES },
    },
  ]
}
