import type { BenchCase, Delivery } from './cases/bench-case.ts'
import type { TrialResult } from './run-trial.ts'
import { type Spread, spread } from './statistics.ts'

/** A case over all its repetitions. */
export interface CaseResult {
  readonly name: string
  readonly title: string
  readonly rate: Spread
  readonly p50: Spread
  readonly p99: Spread
  readonly cost: Spread
  readonly denied: Spread
  readonly idle: Spread
  readonly underLoad: Spread
  readonly answers: number
  readonly delivery: Delivery | undefined
  readonly faults: readonly string[]
  readonly trials: readonly TrialResult[]
}

/** @throws {RangeError} there was no trial */
export const summarise = ({ name, title }: BenchCase, trials: readonly TrialResult[]): CaseResult => ({
  name,
  title,
  rate: spread(trials.map(({ rate }) => rate)),
  p50: spread(trials.map(({ p50 }) => p50)),
  p99: spread(trials.map(({ p99 }) => p99)),
  cost: spread(trials.map(({ cost }) => cost)),
  denied: spread(trials.map(({ denied }) => denied)),
  idle: spread(trials.map(({ idle }) => idle)),
  underLoad: spread(trials.map(({ underLoad }) => underLoad)),
  answers: trials.flatMap(({ statuses }) => Object.values(statuses)).reduce((sum, count) => sum + count, 0),
  delivery: trials.findLast(({ delivery }) => delivery !== undefined)?.delivery,
  faults: trials.flatMap(({ faults }, index) => faults.map((fault) => `repetition ${index + 1}: ${fault}`)),
  trials,
})
