import type { Planting } from '../../fault-injection/planting.ts'

export interface CheckOrder {
  /** What is changed in the source of the service; nothing where a sound service is to be checked. */
  readonly plantings: readonly Planting[]
  readonly seed: number
}

/** Looks for one kind of fault; what was found first, or undefined where nothing was. */
export type Check = (order: CheckOrder) => Promise<string | undefined>
