import { Mailbox } from '../../ledger/mailbox.ts'
import { Random } from '../../random.ts'
import { Relay } from '../../relay/relay.ts'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { opened, request } from '../raw.ts'
import { Target } from '../target.ts'
import { auc } from './auc.ts'
import { BackgroundLoad } from './background-load.ts'
import { KeptConnection } from './kept-connection.ts'
import { addressOf, OUTCOMES, type Outcome, prepareOutcomes, signUp } from './known-outcomes.ts'

const MOST_AUC = 0.55
interface Load {
  readonly name: string
  /** Connections that ask as often as they are answered; 46 are more than a service can take. */
  readonly connections: number
  /** Whether something else uses every processor of the machine. */
  readonly isMachineBusy?: boolean
}

const LOADS: readonly Load[] = [
  { name: 'beside 46 busy connections', connections: 46 },
  { name: 'beside 8 busy connections', connections: 8 },
  { name: 'on a busy machine', connections: 0, isMachineBusy: true },
  { name: 'beside nothing', connections: 0 },
]
/** Connections of the attacker. */
const LANES = 4
/** Milliseconds of load before anything is measured. */
const WARM_UP = 3_000

type Times = Record<Outcome, number[]>

const noTimes = (): Times => ({ new: [], suppressed: [], capped: [], confirmed: [], pending: [] })

interface Measured {
  readonly own: Times
  /** Of the request right behind. */
  readonly next: Times
}

/** Asks once about each address, in any order; each time, another request follows at once. */
const measure = async (target: Target, first: number, samples: number): Promise<Measured> => {
  const measured = { own: noTimes(), next: noTimes() }
  const numbers = Array.from({ length: samples }, (_, n) => first + n)
  const order = OUTCOMES.flatMap((outcome) => numbers.map((n) => ({ outcome, n })))
  const random = new Random(1)
  const queue = shuffled(order, random).values()
  const behind = request('GET /livez')
  const work = async (): Promise<void> => {
    const connection = new KeptConnection(await opened(target.port))
    for (const { outcome, n } of queue) {
      const own = await connection.ask(signUp(addressOf(outcome, n)))
      const next = await connection.ask(behind)
      if (own.status !== 200 || next.status !== 200) throw new Error(`answered ${own.status} and ${next.status}`)
      measured.own[outcome].push(own.milliseconds)
      measured.next[outcome].push(next.milliseconds)
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

/** How well the two outcomes that are told apart best can be told apart. */
const worst = (name: string, times: Times): Figure => {
  const pairs = OUTCOMES.flatMap((one, n) => OUTCOMES.slice(n + 1).map((other) => [one, other] as const))
  const [best] = pairs
    .map(([one, other]) => ({ pair: `${one} and ${other}`, value: auc(times[one], times[other]) }))
    .sort((one, other) => other.value - one.value)
  const medians = OUTCOMES.map((outcome) => `${outcome} ${median(times[outcome]).toFixed(2)}`).join(', ')
  const note = `${best?.pair}; medians in ms: ${medians}; ${times.new.length} of each`
  return { name, figure: best?.value ?? Number.NaN, bound: MOST_AUC, unit: '', note }
}

const besideLoad = async (
  target: Target,
  { name, connections, isMachineBusy }: Load,
  first: number,
  samples: number,
) => {
  await using load = new BackgroundLoad({ port: target.port, connections, isMachineBusy })
  await target.calm(WARM_UP)
  const before = await load.count
  const began = performance.now()
  const { own, next } = await measure(target, first, samples)
  const rate = ((await load.count) - before) / ((performance.now() - began) / 1_000)
  if (connections > 0 && rate === 0) throw new Error('there was no load')
  const figures = [
    worst(`AUC of the time of a sign-up, ${name}`, own),
    worst(`AUC of the time of the request right behind, ${name}`, next),
  ]
  const others = { name: `other sign-ups a second, ${name}`, figure: Math.round(rate), bound: undefined, unit: '' }
  return connections > 0 ? [...figures, others] : figures
}

/** The time that an answer takes, and the next one, as a sign of what is known of an address. */
export const timing: Attack = {
  name: 'timing',
  stores: ['sqlite', 'postgres'],
  run: async (context: AttackContext) => {
    const mailbox = new Mailbox()
    await using relay = await Relay.open((mail) => mailbox.add(mail))
    await using target = await Target.open(context, { SMTP_URL: relay.url })
    const { samples, log } = context
    log(`  preparing ${samples * LOADS.length} addresses of each outcome`)
    await prepareOutcomes(target, mailbox, samples * LOADS.length)
    const figures: Figure[] = []
    for (const [n, load] of LOADS.entries()) {
      log(`  ${load.name}`)
      figures.push(...(await besideLoad(target, load, n * samples, samples)))
    }
    return figures
  },
}
