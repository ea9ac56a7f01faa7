import { checkPowerLoss, type PowerLossCheck } from '../../power-loss/check-power-loss.ts'
import { runTrial } from '../../trial/run-trial.ts'
import { badMails } from './bad-mails.ts'
import type { Check } from './check.ts'
import { deletedToken } from './deleted-token.ts'
import { drain } from './drain.ts'
import { orphans } from './orphans.ts'
import { refusedRestore } from './refused-restore.ts'

const KILLS = 30
const STATES = 200
const LIVES = [1_500, 500]

/** Random kills under load, judged by the ledger of clients and relay. */
const kills =
  (count: number): Check =>
  async ({ plantings, seed }) => {
    const { findings } = await runTrial({ store: 'sqlite', kills: count, seed, plantings, enough: 1 })
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
