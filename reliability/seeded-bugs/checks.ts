import type { SourceChange } from '../fault-injection/source-change.ts'
import { checkPowerLoss, type PowerLossCheck } from '../power-loss/check-power-loss.ts'
import { runRandomKills } from '../run/run-random-kills.ts'
import { badMails, deletedToken, drain, orphans, refusedRestore } from './checks-of-service.ts'

interface CheckOrder {
  /** Changes to the source of the service; none to check it as it is. */
  readonly changes: readonly SourceChange[]
  readonly seed: number
}

/** Looks for one kind of bug. Resolves to the first problem found, or undefined. */
export type BugCheck = (order: CheckOrder) => Promise<string | undefined>

const KILLS = 30
const STATES = 200
const DURATIONS = [1_500, 500]

/** Random kills under load, judged by the ledger. */
const kills =
  (count: number): BugCheck =>
  async ({ changes, seed }) => {
    const { findings } = await runRandomKills({ store: 'sqlite', kills: count, seed, changes, enough: 1 })
    const [first] = findings
    return first && `${first.invariant}: ${first.message}`
  }

/** Power losses, simulated on recorded writes. */
const powerLoss =
  (mail: NonNullable<PowerLossCheck['mails']>[number]): BugCheck =>
  async ({ changes, seed }) => {
    const order = { states: STATES, durations: DURATIONS, enough: 1, mails: [mail] } as const
    const [figures] = await checkPowerLoss({ ...order, changes, seed })
    const [problem] = figures?.lost[0]?.problems ?? []
    return problem && `${problem.invariant}: ${problem.message}`
  }

/** Every check by its name. */
export const CHECKS = {
  'random-kills': kills(KILLS),
  // After the last kill the whole store is examined, and links are fetched as a scanner would.
  'one-kill': kills(1),
  'power-loss': powerLoss('files'),
  'power-loss-smtp': powerLoss('smtp'),
  'bad-mails': badMails,
  orphans,
  'deleted-token': deletedToken,
  'refused-restore': refusedRestore,
  drain,
} as const satisfies Record<string, BugCheck>

export type CheckName = keyof typeof CHECKS
