import { Mailbox } from '../../../proving/shared/mailbox.ts'
import { Relay } from '../../../proving/shared/relay.ts'
import type { Attack, AttackContext, Figure } from '../attack.ts'
import { Target } from '../target.ts'
import { BackgroundLoad } from './background-load.ts'
import { KnownAddresses } from './known-addresses.ts'
import { measure, worst } from './measure.ts'
import { QUESTIONS, type Question } from './questions.ts'

interface Load {
  readonly name: string
  /** Connections that ask as often as they are answered; 46 are more than a service can take. */
  readonly connections: number
  /** Whether something else uses every processor of the machine. */
  readonly isMachineBusy?: boolean
  /** Whether every question is asked under it. */
  readonly isForAll: boolean
}

const LOADS: readonly Load[] = [
  { name: 'beside 46 busy connections', connections: 46, isForAll: true },
  { name: 'beside 8 busy connections', connections: 8, isForAll: false },
  { name: 'on a busy machine', connections: 0, isMachineBusy: true, isForAll: false },
  { name: 'beside nothing', connections: 0, isForAll: true },
]
/** Milliseconds of load before anything is measured. */
const WARM_UP = 3_000

const isAsked = ({ isThorough }: Question, { isForAll }: Load): boolean => isThorough === true || isForAll

/** Under how many loads it is asked: each time about other addresses. */
const turnsOf = (question: Question): number => LOADS.filter((load) => isAsked(question, load)).length

interface Kit {
  readonly target: Target
  readonly known: KnownAddresses
  readonly samples: number
}

const besideLoad = async ({ target, known, samples }: Kit, load: Load): Promise<readonly Figure[]> => {
  const { name, connections, isMachineBusy } = load
  await using others = new BackgroundLoad({ port: target.port, connections, isMachineBusy })
  await target.calm(WARM_UP)
  const before = await others.count
  const began = performance.now()
  const figures: Figure[] = []
  for (const question of QUESTIONS) {
    if (!isAsked(question, load)) continue
    const first = LOADS.slice(0, LOADS.indexOf(load)).filter((one) => isAsked(question, one)).length * samples
    const bytes = (outcome: string, n: number): Buffer => question.bytes(outcome, n, known)
    const { own, next } = await measure({ target, outcomes: question.outcomes, first, samples, bytes })
    figures.push(worst(`AUC of the time of ${question.name}, ${name}`, own))
    figures.push(worst(`AUC of the time of the request right behind ${question.name}, ${name}`, next))
  }
  const rate = ((await others.count) - before) / ((performance.now() - began) / 1_000)
  if (connections > 0 && rate === 0) throw new Error('there was no load')
  const beside = { name: `other sign-ups a second, ${name}`, figure: Math.round(rate), bound: undefined, unit: '' }
  return connections > 0 ? [...figures, beside] : figures
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
    const kinds = QUESTIONS.flatMap((question) =>
      question.known.map((kind) => ({ ...kind, count: samples * turnsOf(question) })),
    )
    log(`  preparing ${kinds.reduce((sum, { count }) => sum + count, 0)} addresses`)
    const known = await KnownAddresses.prepare(target, mailbox, kinds)
    const figures: Figure[] = []
    for (const load of LOADS) {
      log(`  ${load.name}`)
      figures.push(...(await besideLoad({ target, known, samples }, load)))
    }
    return figures
  },
}
