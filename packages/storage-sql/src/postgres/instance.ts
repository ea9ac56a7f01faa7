import type { Connections } from './connections.ts'
import { durably } from './durably.ts'
import { statement } from './statement.ts'

const FIND = statement('SELECT value FROM instance WHERE name = $1')
const REPLACE = statement(
  durably('INSERT INTO instance (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value'),
)
const INSERT = statement(durably('INSERT INTO instance (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING'))

/** What must stay the same for as long as there is the database. */
export class Instance {
  readonly #connections: Connections

  constructor(connections: Connections) {
    this.#connections = connections
  }

  async recall(name: string): Promise<string | undefined> {
    return (await this.#connections.ask<[value: string]>(FIND, name))[0]?.[0]
  }

  /** The value that was there first, be it another's. */
  async settle(name: string, value: string): Promise<string> {
    const known = await this.recall(name)
    if (known !== undefined) return known
    await this.#connections.ask(INSERT, name, value)
    return (await this.recall(name)) ?? value
  }

  async resettle(name: string, value: string): Promise<void> {
    await this.#connections.ask(REPLACE, name, value)
  }
}
