import { Gauge, type Registry } from 'prom-client'

type Looked<Found> = Promise<Found> | Found

/** Adds gauges whose values are looked up at each request for them. */
export class Gauges {
  readonly #registers: Registry[]

  constructor(registry: Registry) {
    this.#registers = [registry]
  }

  /** What is not known has no value, rather than that of before. */
  add(name: string, help: string, look: () => Looked<number | undefined>): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      async collect() {
        const found = await look()
        if (found === undefined) this.remove()
        else this.set(found)
      },
    })
  }

  /** One with a value for each value of a label. */
  addEach(name: string, help: string, label: string, look: () => Looked<readonly (readonly [string, number])[]>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: this.#registers,
      async collect() {
        const found = await look()
        this.reset()
        for (const [value, number] of found) this.set({ [label]: value }, number)
      },
    })
  }
}
