import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Action } from '../../ledger/model.ts'
import { tokenIdOf } from '../../ledger/person.ts'

/** A request to the service. A person has one at a time. */
export interface Demand {
  readonly requestId: string
  readonly person: PersonInQuestion
  readonly action: Action
}

export interface PersonInQuestion {
  readonly email: string
  readonly userId: string
  /** The id of the subscription, once an answer has named it. */
  subscriptionId?: number
}

const PATIENCE = 10_000

/** What is asked for here. */
type Kind = Exclude<Action['kind'], 'bounce' | 'subscribe-to-feeds' | 'ask-to-move' | 'move' | 'undo'>

/** Sequences of actions. Every such kind, and every final state, is in one of them. */
const SEQUENCES: readonly (readonly Kind[])[] = [
  ['subscribe'],
  ['subscribe', 'confirm'],
  ['subscribe', 'subscribe'],
  ['put-user', 'subscribe', 'delete-user'],
  ['subscribe', 'confirm', 'unsubscribe', 'subscribe'],
  ['put-user', 'put-user'],
  ['subscribe', 'refuse', 'subscribe'],
  ['subscribe', 'put-user', 'confirm', 'delete-user'],
  ['put-user', 'delete-user'],
  ['put-user', 'revoke-token', 'delete-user'],
]
const FOLLOWING = new Set<Action['kind']>(['confirm', 'refuse', 'unsubscribe'])

/** The service, and the credentials to use. */
export interface Addressed {
  readonly url: string
  /** Of an administrator. */
  readonly token: string
  /** The folder to read links from; unless given, no link is followed. */
  readonly mails: string | undefined
}

export interface LoadOrder extends Addressed {
  readonly lanes: number
  /** Milliseconds between two requests of a lane. */
  readonly pause: number
}

/** Sends requests in several lanes, and records each before it is sent. */
export class LoadClient {
  readonly demands: Demand[] = []
  #persons = 0

  newPerson(): PersonInQuestion {
    const number = this.#persons++
    return { email: `person-${number}@example.com`, userId: `user-${number}` }
  }

  /** @throws {Error} a request failed */
  async run(order: LoadOrder, until: number): Promise<void> {
    await Promise.all(
      Array.from({ length: order.lanes }, async () => {
        while (Date.now() < until) await this.#act(order)
      }),
    )
  }

  async #act(order: LoadOrder): Promise<void> {
    const person = this.newPerson()
    const number = this.#persons
    for (const [turn, kind] of (SEQUENCES[number % SEQUENCES.length] ?? []).entries()) {
      if (FOLLOWING.has(kind) && order.mails === undefined) return
      await this.ask(order, person, actionOf(kind, turn, number))
      await sleep(order.pause)
    }
  }

  /** @throws {Error} the request failed */
  async ask(order: Addressed, person: PersonInQuestion, action: Action): Promise<void> {
    const path = await pathOf(order, person, action)
    const requestId = `demand-${this.demands.length}`
    this.demands.push({ requestId, person, action })
    const answer = await fetch(`${order.url}${path}`, {
      method: METHODS[action.kind] ?? 'POST',
      headers: {
        'X-Request-Id': requestId,
        ...(action.kind in METHODS ? { Authorization: `Bearer ${order.token}` } : {}),
        ...(action.kind === 'put-user' ? { 'Content-Type': 'application/json' } : {}),
      },
      ...bodyOf(person, action),
    })
    const text = await answer.text()
    if (action.kind === 'subscribe') person.subscriptionId = Number(/"id":(\d+)/.exec(text)?.[1])
    if (!answer.ok) throw new Error(`${action.kind} of ${person.email} was answered ${answer.status} ${text}`)
  }
}

/** Of what an administrator asks for. */
const METHODS: Readonly<Partial<Record<Action['kind'], string>>> = {
  'put-user': 'PUT',
  'delete-user': 'DELETE',
  'revoke-token': 'DELETE',
}

const actionOf = (kind: Kind, turn: number, number: number): Action => {
  const name = `Person ${number}, turn ${turn}`
  if (kind === 'subscribe' || kind === 'put-user') return { kind, name }
  if (kind === 'delete-user') return { kind, subscriptions: number % 2 === 0 ? 'keep' : 'erase' }
  return { kind }
}

const bodyOf = ({ email }: PersonInQuestion, action: Action): { body?: string | URLSearchParams } => {
  if (action.kind === 'subscribe') return { body: new URLSearchParams({ email, name: action.name }) }
  if (action.kind === 'put-user') return { body: JSON.stringify({ email, name: action.name, roles: ['auditor'] }) }
  return METHODS[action.kind] === 'DELETE' ? {} : { body: new URLSearchParams() }
}

const pathOf = async (
  { mails = '' }: Addressed,
  { userId, subscriptionId = 0 }: PersonInQuestion,
  action: Action,
): Promise<string> => {
  if (action.kind === 'subscribe') return '/subscribe'
  if (action.kind === 'put-user') return `/users/${userId}`
  if (action.kind === 'delete-user') return `/users/${userId}?subscriptions=${action.subscriptions}`
  if (action.kind === 'revoke-token') return `/tokens/${tokenIdOf(userId)}`
  return await linkIn(mails, subscriptionId, action.kind)
}

const linkIn = async (mails: string, subscription: number, kind: string): Promise<string> => {
  const prefix = `${subscription.toString(36)}.`
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(10)) {
    const name = namesIn(mails).find((file) => file.startsWith(prefix) && file.endsWith('.eml'))
    if (name === undefined) continue
    // As mails are encoded: long lines are broken by a `=` at their end.
    const text = readFileSync(path.join(mails, name), 'utf8').replaceAll('=\r\n', '')
    const link = new RegExp(`/${kind}/[0-9a-f.]+`).exec(text)?.[0]
    if (link !== undefined) return link
  }
  throw new Error(`no mail came about the subscription ${subscription}`)
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is made for the first mail.
    return []
  }
}
