import type { Finding } from '../finding.ts'
import type { Planting } from '../plant/planting.ts'

export interface TrialOrder {
  readonly store: 'sqlite' | 'postgres'
  readonly kills: number
  /** What the same trial comes of again, as far as a machine does the same twice. */
  readonly seed: number
  /** What is changed in the source of the service; it is run from its source then. */
  readonly plantings?: readonly Planting[]
}

export interface TrialResult {
  readonly findings: readonly Finding[]
}

/** Puts the service under load, kills it, starts it again and looks whether it kept its promises; so often. */
export const runTrial = async (order: TrialOrder): Promise<TrialResult> => {
  throw new Error(`not there yet: ${order.store}`)
}
