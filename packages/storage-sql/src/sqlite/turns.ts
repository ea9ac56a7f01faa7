import { AsyncLocalStorage } from 'node:async_hooks'

/** The time in which a unit's work runs and its stores may be used. */
interface Turn {
  open: boolean
}

/** Lets units use their stores one after another, and none outside its turn. */
export class Turns {
  readonly #context = new AsyncLocalStorage<Turn>()
  #current: Turn | undefined

  /** Whether this is called by the work of a unit, and within its turn. */
  get inside(): boolean {
    return this.#context.getStore()?.open === true
  }

  /** The caller's asynchronous context becomes that of the turn, and stays it. */
  begin(): Turn {
    const turn = { open: true }
    this.#current = turn
    // `run` would make another context, for a caller that has none to go back to.
    this.#context.enterWith(turn)
    return turn
  }

  end(turn: Turn): void {
    turn.open = false
    this.#current = undefined
  }

  /** @throws {Error} this is called by another than the unit whose turn it is */
  require(): void {
    if (this.#current === undefined || this.#context.getStore() !== this.#current)
      throw new Error('A store was used outside its unit of work. Await everything that a unit does.')
  }
}
