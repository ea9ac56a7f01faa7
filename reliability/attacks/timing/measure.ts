import { Random } from '../../../proving/shared/random.ts'
import type { Figure } from '../attack.ts'
import { opened, request } from '../raw.ts'
import type { Target } from '../target.ts'
import { auc } from './auc.ts'
import { KeptConnection } from './kept-connection.ts'

/** By outcome. */
export type Times = Readonly<Record<string, number[]>>

interface Measured {
  readonly own: Times
  /** Of the request right behind. */
  readonly next: Times
}

interface Order {
  readonly target: Target
  readonly outcomes: readonly string[]
  readonly first: number
  readonly samples: number
  readonly bytes: (outcome: string, n: number) => Buffer
}

/** Connections of the attacker. */
const LANES = 4

const noTimes = (outcomes: readonly string[]): Times => Object.fromEntries(outcomes.map((outcome) => [outcome, []]))

/** Asks once about each address, in any order; each time, another request follows at once. */
export const measure = async ({ target, outcomes, first, samples, bytes }: Order): Promise<Measured> => {
  const measured = { own: noTimes(outcomes), next: noTimes(outcomes) }
  const numbers = Array.from({ length: samples }, (_, n) => first + n)
  const order = outcomes.flatMap((outcome) => numbers.map((n) => ({ outcome, n })))
  const queue = shuffled(order, new Random(1)).values()
  const behind = request('GET /livez')
  const work = async (): Promise<void> => {
    const connection = new KeptConnection(await opened(target.port))
    for (const { outcome, n } of queue) {
      const own = await connection.ask(bytes(outcome, n))
      const next = await connection.ask(behind)
      if (own.status !== 200 || next.status !== 200) throw new Error(`answered ${own.status} and ${next.status}`)
      measured.own[outcome]?.push(own.milliseconds)
      measured.next[outcome]?.push(next.milliseconds)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: LANES }, work))
  return measured
}

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, place: random.fraction() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

const MOST_AUC = 0.55
/** Standard deviations: chance alone makes the worst of ten pairs pass them once in two hundred times at most. */
const CHANCE = 3.5

/** With few samples chance alone passes the bound that many are held to. */
export const mostAuc = (samples: number): number =>
  Math.max(MOST_AUC, 0.5 + CHANCE * Math.sqrt((2 * samples + 1) / (12 * samples * samples)))

/** How well the two outcomes that are told apart best can be told apart. */
export const worst = (name: string, times: Times): Figure => {
  const outcomes = Object.keys(times)
  const of = (outcome: string): readonly number[] => times[outcome] ?? []
  const pairs = outcomes.flatMap((one, n) => outcomes.slice(n + 1).map((other) => [one, other] as const))
  const [best] = pairs
    .map(([one, other]) => ({ pair: `${one} and ${other}`, value: auc(of(one), of(other)) }))
    .sort((one, other) => other.value - one.value)
  const medians = outcomes.map((outcome) => `${outcome} ${median(of(outcome)).toFixed(2)}`).join(', ')
  const samples = Math.min(...outcomes.map((outcome) => of(outcome).length))
  const note = `${best?.pair}; medians in ms: ${medians}; ${samples} of each`
  return { name, figure: best?.value ?? Number.NaN, bound: mostAuc(samples), unit: '', note }
}
