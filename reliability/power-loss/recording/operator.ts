import type { Addressed, Client } from './client.ts'
import { commandDeleting } from './conversations.ts'
import type { RecordedProcess } from './recorded-process.ts'

const AT_ONCE = 6

/** Deletes users by command, beside the running service. */
export class Operator {
  readonly #client: Client
  readonly #start: (...args: readonly string[]) => RecordedProcess

  /** `start` runs the rollcall command. */
  constructor(client: Client, start: (...args: readonly string[]) => RecordedProcess) {
    this.#client = client
    this.#start = start
  }

  /** @throws {Error} a command did not end well */
  async run(order: Addressed, until: number): Promise<void> {
    while (Date.now() < until) await this.#deleteSome(order)
  }

  async #deleteSome(order: Addressed): Promise<void> {
    const persons = Array.from({ length: AT_ONCE }, () => this.#client.newPerson())
    for (const person of persons) {
      const name = `Known to operators as ${person.userId}`
      await this.#client.ask(order, person, { kind: 'put-user', name })
      await this.#client.ask(order, person, { kind: 'subscribe', name })
    }
    const action = { kind: 'delete-user', subscriptions: 'erase' } as const
    for (const person of persons)
      this.#client.demands.push({ requestId: commandDeleting(person.userId), person, action })
    const ids = persons.map(({ userId }) => userId)
    await this.#start('user', 'delete', ...ids, '--subscriptions', 'erase', '--yes', '--json').end()
  }
}
