/**
 * Gathers what is asked for in one turn of the event loop and asks for it at once: units that run side by side ask for
 * the same things at the same time.
 */
export class Loader<Key, Found> {
  readonly #load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>
  readonly #gathered = new Set<Key>()
  #loading: Promise<ReadonlyMap<Key, Found>> | undefined

  /** `load` gives those that there are. */
  constructor(load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>) {
    this.#load = load
  }

  async find(key: Key): Promise<Found | undefined> {
    return (await this.findMany([key])).get(key)
  }

  async findMany(keys: readonly Key[]): Promise<ReadonlyMap<Key, Found>> {
    if (keys.length === 0) return new Map()
    for (const key of keys) this.#gathered.add(key)
    this.#loading ??= new Promise((resolve) => {
      // After every microtask, and so after every unit that goes on in this turn.
      process.nextTick(() => {
        const all = [...this.#gathered]
        this.#gathered.clear()
        this.#loading = undefined
        resolve(this.#load(all))
      })
    })
    const found = await this.#loading
    return new Map(keys.flatMap((key) => (found.has(key) ? [[key, found.get(key) as Found]] : [])))
  }
}
