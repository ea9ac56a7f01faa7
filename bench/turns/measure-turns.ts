import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { floor } from '../cases/floors.ts'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { command, databaseIn, rollcall } from '../rollcall/rollcall.ts'
import { type Spread, spread } from '../statistics.ts'
import type { Target } from '../targets.ts'
import { signUps } from '../traffic.ts'
import { inTurns, type Rival, type TurnFigures } from './in-turns.ts'

/** Sign-ups on SQLite beside the floor with the same rows and indexes. */
export interface TurnsFigures {
  readonly floor: { readonly cost: Spread; readonly rate: Spread }
  readonly ours: { readonly cost: Spread; readonly rate: Spread }
  /** Sign-ups of the service for each of the floor, over the pairs. */
  readonly ratio: Spread
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

/**
 * As many pairs as there are repetitions.
 * @throws {Error} a request was not answered as it should be
 */
export const measureTurns = async (order: Order): Promise<TurnsFigures> => {
  const pairs: (readonly [TurnFigures, TurnFigures])[] = []
  for (let pair = 0; pair < order.options.reps; pair++)
    pairs.push(await measurePair(order, path.join(order.scratch, `turns-${pair}`), pair % 2 === 0 ? 0 : 1))
  const of = (which: 0 | 1) => ({
    cost: spread(pairs.map((pair) => pair[which].cost)),
    rate: spread(pairs.map((pair) => pair[which].rate)),
  })
  return { floor: of(0), ours: of(1), ratio: spread(pairs.map(([bare, ours]) => ours.rate / bare.rate)) }
}

const measurePair = async (order: Order, folder: string, begins: 0 | 1) => {
  const home = async (name: string): Promise<string> => {
    const made = path.join(folder, name)
    await mkdir(made, { recursive: true })
    await command(made, 'migrate')
    return made
  }
  const bare = async (): Promise<Rival> => {
    const made = await home('floor')
    return { start: await floor('koa-same-rows', made, [databaseIn(made)]), traffic: signUps, status: 200 }
  }
  const ours = async (): Promise<Rival> => {
    const made = await home('rollcall')
    return { start: await rollcall(made, {}), traffic: signUps, status: 200 }
  }
  try {
    return await inTurns(order, [bare, ours], begins)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const TURNS_COLUMNS = ['POST, in turns of half a second', 'CPU µs', 'answers/s', 'of the floor']

export const turnsRows = (
  { floor: bare, ours, ratio }: TurnsFigures,
  ranged: (found: Spread, digits: number) => string,
): string[][] => [
  ['Koa + the same rows and indexes, group commit', ranged(bare.cost, 0), ranged(bare.rate, 0), ''],
  ['Rollcall', ranged(ours.cost, 0), ranged(ours.rate, 0), ranged(ratio, 2)],
]

export const turnsTargets = ({ ratio }: TurnsFigures): Target[] => [
  {
    ...{ name: 'POST / floor with the same rows, in turns', value: ratio.median, spread: ratio, unit: '' },
    ...{ limit: 0.8, reached: ratio.median >= 0.8 },
  },
]
