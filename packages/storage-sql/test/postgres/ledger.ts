import { setTimeout as sleep } from 'node:timers/promises'
import { type NewRequest, type RequestInbox, Unavailable, type UnitOfWork, type UserChanges } from '@rollcall/core'
import { putTombstone } from '../a-tombstone.ts'
import { addUser } from '../a-user-change.ts'
import { lookAt } from '../postgres-server/databases.ts'

const CLIENTS = 8
const PAUSE = 5

const REQUEST: NewRequest = { at: 1, address: undefined, asked: { kind: 'trap', feed: undefined } }

const OF_INBOX = 'inbox '

interface Storage {
  readonly unitOfWork: UnitOfWork
  readonly inbox: RequestInbox
  readonly userChanges: UserChanges | undefined
}

const WORKS: ((storage: Storage, id: string) => Promise<unknown>)[] = [
  ({ unitOfWork }, id) => unitOfWork.run(putTombstone(id)),
  addUser,
  ({ inbox }, id) => inbox.append(REQUEST, { id, expiresAt: 1 }),
]

/** The answers that clients got, compared with what is stored. */
export class Ledger {
  readonly done = new Set<string>()
  /** Answered: nothing was changed. */
  readonly refused = new Set<string>()
  /** Answered: it may have been done. */
  readonly unsure = new Set<string>()
  /** Of these, units: the server can be asked what became of their commits. */
  get unsureUnits(): string[] {
    return [...this.unsure].filter((id) => !id.startsWith(OF_INBOX))
  }

  readonly #storage: Storage
  #over = false
  readonly #clients: Promise<void>[]

  /** Clients that ask as fast as they are answered: a third by units of work, a third changes users, and a third comes in as the public does. */
  constructor(storage: Storage) {
    this.#storage = storage
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#ask(client))
  }

  /** No more is asked. */
  async close(): Promise<void> {
    this.#over = true
    await Promise.all(this.#clients)
  }

  /** Resolves when so many more are done. */
  async progress(count: number): Promise<void> {
    for (const wanted = this.done.size + count; this.done.size < wanted; ) await sleep(PAUSE)
  }

  /** Answers that do not match what is stored. */
  async lies(url: string): Promise<{ readonly lost: string[]; readonly haunting: string[] }> {
    const { rows } = await lookAt(url, (client) =>
      client.query<{ id: string }>('SELECT id FROM identity UNION ALL SELECT id FROM spent_challenge'),
    )
    const stored = new Set(rows.map(({ id }) => id))
    return {
      lost: [...this.done].filter((id) => !stored.has(id)),
      haunting: [...this.refused].filter((id) => stored.has(id)),
    }
  }

  async #ask(client: number): Promise<void> {
    for (let n = 0; !this.#over; n++) {
      const id = `${n % WORKS.length === 2 ? OF_INBOX : ''}${client}-${n}`
      try {
        await WORKS[n % WORKS.length]?.(this.#storage, id)
        this.done.add(id)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        const outcome = error.unsure ? this.unsure : this.refused
        outcome.add(id)
        await sleep(PAUSE)
      }
    }
  }
}
