import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stores } from '@rollcall/core'

export type Work<Result = unknown> = (stores: Stores) => Promise<Result>

/** The time in which a unit's work runs. */
interface Turn {
  open: boolean
}

const context = new AsyncLocalStorage<Turn>()

/** Whether this is called by the work of a unit that has not ended. */
export const insideUnit = (): boolean => context.getStore()?.open === true

/** What a store says to work that has ended. */
export const usedOutsideUnit = (): Error =>
  new Error('A store was used outside its unit of work. Await everything that a unit does.')

/** Runs the work; what it throws at once comes out as if it had been thrown later. */
export const perform = async <Result>(work: Work<Result>, stores: Stores): Promise<Result> => {
  const turn = { open: true }
  try {
    return await context.run(turn, work, stores)
  } finally {
    turn.open = false
  }
}
