import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Ledger } from './ledger.ts'
import type { Link } from './mailbox.ts'
import type { Action } from './model.ts'
import type { Person } from './person.ts'
import type { Random } from './random.ts'

/** An action of a person, and how many times at once. */
interface Act {
  readonly action: Action
  readonly times: number
  /** The link of a mail that it needs; the person waits for that mail. */
  readonly link: Link | undefined
}

type Script = (name: (occasion: string) => string) => readonly Act[]

const LINKS: Partial<Record<Action['kind'], Link>> = {
  confirm: 'confirm',
  refuse: 'refuse',
  unsubscribe: 'unsubscribe',
  // No mail comes back before it was sent.
  bounce: 'confirm',
  move: 'move',
  undo: 'undo',
}

const act = (action: Action, times = 1): Act => ({ action, times, link: LINKS[action.kind] })
const signUp = (name: string, times = 1): Act => act({ kind: 'subscribe', name }, times)
const putUser = (name: string): Act => act({ kind: 'put-user', name })
const remove = (subscriptions: 'keep' | 'erase'): Act => act({ kind: 'delete-user', subscriptions })
const signUpToFeeds = (name: string, times = 1): Act => act({ kind: 'subscribe-to-feeds', name }, times)
const BOUNCE = act({ kind: 'bounce' })
const ASK_TO_MOVE = act({ kind: 'ask-to-move' })
const MOVE = act({ kind: 'move' })
const UNDO = act({ kind: 'undo' })
const SUSPEND = act({ kind: 'suspend-user' })
const RESUME = act({ kind: 'resume-user' })
const CONFIRM = act({ kind: 'confirm' })
const REFUSE = act({ kind: 'refuse' })
const LEAVE = act({ kind: 'unsubscribe' })

/** Sequences of actions; those that are listed several times are chosen more often. */
const SCRIPTS: readonly Script[] = [
  (name) => [signUp(name('only'))],
  (name) => [signUp(name('only'))],
  (name) => [signUp(name('only'))],
  (name) => [signUp(name('first')), signUp(name('second'))],
  (name) => [signUp(name('at once'), 4)],
  (name) => [signUp(name('first')), CONFIRM, signUp(name('second')), CONFIRM],
  (name) => [signUp(name('at once'), 2), CONFIRM, LEAVE, signUp(name('back'))],
  (name) => [signUp(name('first')), REFUSE, signUp(name('again')), REFUSE],
  (name) => [putUser(name('new')), putUser(name('changed')), remove('keep'), putUser(name('back'))],
  (name) => [signUp(name('first')), putUser(name('user')), remove('erase'), remove('erase')],
  (name) => [putUser(name('user')), signUp(name('first')), remove('erase'), signUp(name('back'))],
  (name) => [putUser(name('user')), signUp(name('first')), CONFIRM, remove('keep'), LEAVE],
  (name) => [putUser(name('user')), SUSPEND, putUser(name('changed')), RESUME, SUSPEND, remove('keep')],
  (name) => [signUpToFeeds(name('both')), CONFIRM],
  (name) => [signUpToFeeds(name('both at once'), 3), CONFIRM, signUpToFeeds(name('both again'))],
  (name) => [putUser(name('user')), signUpToFeeds(name('both')), REFUSE, remove('erase')],
  (name) => [signUp(name('first')), CONFIRM, ASK_TO_MOVE, MOVE],
  (name) => [signUp(name('first')), CONFIRM, ASK_TO_MOVE, MOVE, UNDO],
  (name) => [putUser(name('user')), signUp(name('first')), CONFIRM, ASK_TO_MOVE, MOVE, remove('erase')],
]

/** More addresses that are lost in one day would wait for an administrator. */
const MOST_LOST = 80
const LOST: readonly Script[] = [
  (name) => [signUp(name('first')), CONFIRM, BOUNCE, LEAVE, signUp(name('back'))],
  (name) => [signUp(name('first')), BOUNCE, CONFIRM],
  (name) => [putUser(name('user')), signUp(name('first')), CONFIRM, BOUNCE, remove('erase')],
]
const LOST_SHARE = 0.1

/** The actions of one person. Names contain characters that are special in forms, SQL and JSON. */
const someScript = (scripts: readonly Script[], random: Random, number: number): readonly Act[] =>
  random.pick(scripts)((occasion) => `Zoë "${number}" O'Brien & 名前 ${occasion}`)

interface Part {
  readonly person: Person
  readonly acts: readonly Act[]
  next: number
}

/** At most so many requests are open at once: if nothing is answered, they would pile up. */
const MOST_ASKING = 500
/** The share of new persons, while known ones have something left to do. */
const NEWCOMERS = 0.4
const LOOKED_AT = 60

/** Persons who act at a fixed rate, however fast the service is (open loop), and continue after it was killed. */
export class Load {
  readonly #ledger: Ledger
  readonly #client: Client
  readonly #random: Random
  /** Requests a second. */
  readonly #rate: number
  readonly #oneAtATime: boolean
  /** Persons with something left to do. */
  #idle: Part[] = []
  #asking = 0
  #count = 0
  #lost = 0

  /** `oneAtATime`: no person has two requests open. */
  constructor(ledger: Ledger, client: Client, random: Random, rate: number, { oneAtATime = false } = {}) {
    this.#ledger = ledger
    this.#client = client
    this.#random = random
    this.#rate = rate
    this.#oneAtATime = oneAtATime
  }

  /** Runs until the signal, and then waits for the outstanding answers. */
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

  /** Resolves when no request is open. */
  async rest(): Promise<void> {
    while (this.#asking > 0) await sleep(1)
  }

  #arrive(): void {
    const known = this.#random.fraction() > NEWCOMERS ? this.#takeReady() : undefined
    const part = known ?? this.#newcomer()
    void this.#play(part)
  }

  #newcomer(): Part {
    const isLost = this.#lost < MOST_LOST && this.#random.fraction() < LOST_SHARE
    if (isLost) this.#lost++
    const acts = someScript(isLost ? LOST : SCRIPTS, this.#random, this.#count++)
    return { person: this.#ledger.newPerson(), acts, next: 0 }
  }

  /** Of some who can go on, one who has come furthest: else few would ever come to the end, if mails are in between. */
  #takeReady(): Part | undefined {
    const start = this.#random.whole(0, Math.max(0, this.#idle.length - 1))
    let furthest: { readonly place: number; readonly part: Part } | undefined
    for (let n = 0; n < Math.min(this.#idle.length, LOOKED_AT); n++) {
      const place = (start + n) % this.#idle.length
      const part = this.#idle[place]
      if (part === undefined || part.next <= (furthest?.part.next ?? -1) || this.#token(part) === undefined) continue
      furthest = { place, part }
    }
    if (furthest === undefined) return undefined
    this.#idle[furthest.place] = this.#idle.at(-1) as Part
    this.#idle.pop()
    return furthest.part
  }

  /** The token of the next link; empty if no link is needed, undefined if the mail has not come yet. */
  #token({ person, acts, next }: Part): string | undefined {
    const link = acts[next]?.link
    return link === undefined ? '' : this.#ledger.mailbox.token(link === 'move' ? person.newEmail : person.email, link)
  }

  async #play(part: Part): Promise<void> {
    const act = part.acts[part.next]
    if (act === undefined) return
    const token = this.#token(part) ?? ''
    this.#asking++
    const answered = await Promise.all(
      Array.from({ length: this.#oneAtATime ? 1 : act.times }, () => this.#ask(part.person, act, token)),
    )
    this.#asking--
    // Without an answer it is asked again.
    if (answered.includes(true)) part.next++
    if (part.next < part.acts.length) this.#idle.push(part)
  }

  /** Whether it was answered. */
  async #ask(person: Person, { action }: Act, token: string): Promise<boolean> {
    this.#ledger.sent(person, action)
    const answer = await this.#client.ask(action, person, token)
    return this.#ledger.answered(person, action, answer)
  }
}
