import { measureWithAutocannon, measureWithWrk } from './generators/generators.ts'

/** Requests that differ only in their number, which replaces the placeholder in the path or the body. */
export interface Traffic {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LoadOrder {
  readonly url: string
  readonly traffic: Traffic
  readonly connections: number
  readonly seconds: number
  /** The number of the first request. */
  readonly first: number
  /** The core to run on, if any. */
  readonly core: number | undefined
}

export interface LoadReport {
  /** The number of the request after the last. */
  readonly next: number
  /** The real duration. */
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Connections refused or broken, and requests without an answer in time. */
  readonly errors: number
  /** How many answers came with each status. */
  readonly statuses: Readonly<Record<string, number>>
}

export type GeneratorName = 'wrk' | 'autocannon'

export const GENERATORS: Readonly<Record<GeneratorName, (order: LoadOrder) => Promise<LoadReport>>> = {
  wrk: measureWithWrk,
  autocannon: measureWithAutocannon,
}

export const answered = ({ statuses }: LoadReport): number =>
  Object.values(statuses).reduce((sum, count) => sum + count, 0)
