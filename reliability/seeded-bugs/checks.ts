import type { Planting } from '../fault-injection/planting.ts'
import { checkPowerLoss, type PowerLossCheck } from '../power-loss/check-power-loss.ts'
import { runRandomKills } from '../run/run-random-kills.ts'
import { badMails, deletedToken, drain, orphans, refusedRestore } from './checks-of-service.ts'

export interface CheckOrder {
  /** What is changed in the source of the service; nothing where a sound service is to be checked. */
  readonly plantings: readonly Planting[]
  readonly seed: number
}

/** Looks for one kind of fault; what was found first, or undefined where nothing was. */
export type Check = (order: CheckOrder) => Promise<string | undefined>

const KILLS = 30
const STATES = 200
const LIVES = [1_500, 500]

/** Random kills under load, judged by the ledger of clients and relay. */
const kills =
  (count: number): Check =>
  async ({ plantings, seed }) => {
    const { findings } = await runRandomKills({ store: 'sqlite', kills: count, seed, plantings, enough: 1 })
    const [first] = findings
    return first && `${first.invariant}: ${first.message}`
  }

/** Losses of power, on what the service wrote. */
const powerLoss =
  (mail: NonNullable<PowerLossCheck['mails']>[number]): Check =>
  async ({ plantings, seed }) => {
    const order = { states: STATES, lives: LIVES, enough: 1, mails: [mail] } as const
    const [figures] = await checkPowerLoss({ ...order, plantings, seed })
    const [problem] = figures?.lost[0]?.problems ?? []
    return problem && `${problem.invariant}: ${problem.message}`
  }

/** Everything that looks for faults, by its name. */
export const CHECKS = {
  'random-kills': kills(KILLS),
  // After the last kill it looks at everything, and follows links as a scanner would.
  'one-kill': kills(1),
  'power-loss': powerLoss('files'),
  'power-loss-smtp': powerLoss('smtp'),
  'bad-mails': badMails,
  orphans,
  'deleted-token': deletedToken,
  'refused-restore': refusedRestore,
  drain,
} as const satisfies Record<string, Check>

export type CheckName = keyof typeof CHECKS
