import type { BenchCase, Delivery } from './cases/bench-case.ts'
import type { RunResult } from './run-case.ts'
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
  readonly trials: readonly RunResult[]
}

/** @throws {RangeError} there was no run */
export const summarise = ({ name, title }: BenchCase, runs: readonly RunResult[]): CaseResult => ({
  name,
  title,
  rate: spread(runs.map(({ rate }) => rate)),
  p50: spread(runs.map(({ p50 }) => p50)),
  p99: spread(runs.map(({ p99 }) => p99)),
  cost: spread(runs.map(({ cost }) => cost)),
  denied: spread(runs.map(({ denied }) => denied)),
  idle: spread(runs.map(({ idle }) => idle)),
  underLoad: spread(runs.map(({ underLoad }) => underLoad)),
  answers: runs.flatMap(({ statuses }) => Object.values(statuses)).reduce((sum, count) => sum + count, 0),
  delivery: runs.findLast(({ delivery }) => delivery !== undefined)?.delivery,
  faults: runs.flatMap(({ faults }, index) => faults.map((fault) => `repetition ${index + 1}: ${fault}`)),
  trials: runs,
})
