import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../ledger/ledger.ts'
import type { Person } from '../ledger/person.ts'
import type { Random } from '../random.ts'
import type { Client } from '../service/client.ts'
import { type Act, someScript } from './scripts.ts'

interface Part {
  readonly person: Person
  readonly acts: readonly Act[]
  next: number
}

/** More than these do not ask at once: where nothing is answered, what is measured would be the asking. */
const MOST_ASKING = 500
/** So many people sign up anew, of all that do anything, where others have something to do. */
const NEWCOMERS = 0.4

/** People who do what they do whether or not the service is quick (open loop), and go on after it was killed. */
export class Load {
  readonly #ledger: Ledger
  readonly #client: Client
  readonly #random: Random
  /** Requests a second. */
  readonly #rate: number
  /** Whoever has something to do next. */
  #idle: Part[] = []
  #asking = 0
  #count = 0

  constructor(ledger: Ledger, client: Client, random: Random, rate: number) {
    this.#ledger = ledger
    this.#client = client
    this.#random = random
    this.#rate = rate
  }

  /** Until the signal; then waits for the answers that are still to come. */
  async run(signal: AbortSignal): Promise<void> {
    const began = performance.now()
    let due = 0
    while (!signal.aborted) {
      for (; due * 1_000 < (performance.now() - began) * this.#rate; due++)
        if (this.#asking < MOST_ASKING) this.#arrive()
      await sleep(Math.min(10, 1_000 / this.#rate))
    }
    await this.rest()
  }

  /** Resolves when nobody waits for an answer any more. */
  async rest(): Promise<void> {
    while (this.#asking > 0) await sleep(1)
  }

  #arrive(): void {
    const known = this.#random.fraction() > NEWCOMERS ? this.#takeReady() : undefined
    const part = known ?? this.#newcomer()
    void this.#play(part)
  }

  #newcomer(): Part {
    return { person: this.#ledger.newPerson(), acts: someScript(this.#random, this.#count++), next: 0 }
  }

  #takeReady(): Part | undefined {
    const start = this.#random.whole(0, Math.max(0, this.#idle.length - 1))
    for (let n = 0; n < Math.min(this.#idle.length, 20); n++) {
      const place = (start + n) % this.#idle.length
      const part = this.#idle[place]
      if (part === undefined || this.#token(part) === undefined) continue
      this.#idle[place] = this.#idle.at(-1) as Part
      this.#idle.pop()
      return part
    }
    return undefined
  }

  /** Of the link that comes next; empty where none is needed, undefined where the mail is not there yet. */
  #token({ person, acts, next }: Part): string | undefined {
    const link = acts[next]?.link
    return link === undefined ? '' : this.#ledger.mailbox.token(person.email, link)
  }

  async #play(part: Part): Promise<void> {
    const act = part.acts[part.next]
    if (act === undefined) return
    const token = this.#token(part) ?? ''
    this.#asking++
    const answered = await Promise.all(Array.from({ length: act.times }, () => this.#ask(part.person, act, token)))
    this.#asking--
    // Who got no answer asks again.
    if (answered.includes(true)) part.next++
    if (part.next < part.acts.length) this.#idle.push(part)
  }

  /** Whether it was answered. */
  async #ask(person: Person, { deed }: Act, token: string): Promise<boolean> {
    this.#ledger.sent(person, deed)
    const answer = await this.#client.ask(deed, person, token)
    return this.#ledger.answered(person, deed, answer)
  }
}
