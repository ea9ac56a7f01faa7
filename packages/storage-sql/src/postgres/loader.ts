/**
 * Gathers what is asked for in one turn of the event loop and asks for it at once: units that run side by side ask for
 * the same things at the same time.
 */
export class Loader<Key, Found> {
  readonly #load: (keys: readonly Key[]) => Promise<(key: Key) => Found>
  #gathered: Key[] = []
  #loading: Promise<(key: Key) => Found> | undefined

  constructor(load: (keys: readonly Key[]) => Promise<(key: Key) => Found>) {
    this.#load = load
  }

  async find(key: Key): Promise<Found> {
    this.#gathered.push(key)
    this.#loading ??= new Promise((resolve) => {
      // After every microtask, and so after every unit that goes on in this turn.
      process.nextTick(() => {
        const keys = this.#gathered
        this.#gathered = []
        this.#loading = undefined
        resolve(this.#load(keys))
      })
    })
    return (await this.#loading)(key)
  }
}
