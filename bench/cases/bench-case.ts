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
  /** Once, after everything was measured. */
  finish?(): Promise<void>
}

export interface Run {
  readonly server: Omit<ServerOrder, 'core'>
  readonly traffic: Traffic
  /** The signal that ends the server. */
  readonly end: NodeJS.Signals
  /** Waits for the mails that are still in the outbox after the load. */
  deliver?(): Promise<Delivery>
  /** Compares the store, once the server has ended, with the answers; returns the differences. */
  disagreements?(counts: Counts): Promise<string[]>
  close?(): Promise<void>
}

/** Of a whole run, warm-up and all. */
export interface Counts {
  readonly answered: number
  /** Answered requests, and those that were open when the load ended. */
  readonly asked: number
}

export interface Delivery {
  /** Until the load ended. */
  readonly deliveredDuringLoad: number
  readonly delivered: number
  /** From the end of the load to the last mail. */
  readonly seconds: number
}

/** The store must have what was answered, and may have what was asked without an answer. */
export const outside = (what: string, found: number, { answered, asked }: Counts): string[] =>
  found >= answered && found <= asked ? [] : [`${found} ${what} for ${answered} answers to ${asked} requests`]

/** More deletions than users: the rest was not found. */
export const tooFew = (users: number, { asked }: Counts): string[] =>
  asked <= users ? [] : [`${asked} deletions were requested, but only ${users} users created: give more with --users`]
