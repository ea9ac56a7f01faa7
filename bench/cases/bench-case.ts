import type { Traffic } from '../load.ts'
import type { ServerOrder } from '../server.ts'

/** Something to be measured under load. */
export interface BenchCase {
  readonly name: string
  /** For a person. */
  readonly title: string
  /** What every answer must be. */
  readonly status: number
  /** Once, before anything is measured. */
  prepare?(): Promise<void>
  /** One repetition, in a folder of its own. */
  run(folder: string): Promise<Run>
}

export interface Run {
  readonly server: Omit<ServerOrder, 'core'>
  readonly traffic: Traffic
  /** How the server ends: what is durable needs no farewell. */
  readonly end: NodeJS.Signals
  /** Waits for what the server still owes when the load is over. */
  deliver?(): Promise<Delivery>
  /** Compares the store, once the server has ended, with what was answered: what does not agree. */
  disagreements?(counts: Counts): Promise<string[]>
  close?(): Promise<void>
}

/** Of a whole run, warm-up and all. */
export interface Counts {
  readonly answered: number
  /** Those answered, and those that were on their way when the load ended. */
  readonly asked: number
}

export interface Delivery {
  /** Until the load ended. */
  readonly deliveredDuringLoad: number
  readonly delivered: number
  /** From the end of the load to the last mail. */
  readonly seconds: number
}

/** For a store that must have kept what was answered, and may have kept what was only asked. */
export const outside = (what: string, found: number, { answered, asked }: Counts): string[] =>
  found >= answered && found <= asked ? [] : [`${found} ${what} for ${answered} answers to ${asked} requests`]

/** Nobody is left to be deleted: the rest was not found. */
export const tooFew = (users: number, { asked }: Counts): string[] =>
  asked <= users ? [] : [`${asked} deletions were asked for, but only ${users} users seeded: give more with --users`]
