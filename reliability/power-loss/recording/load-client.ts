import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEEDS } from '../../ledger/ledger.ts'
import type { Action } from '../../ledger/model.ts'
import { isSignUp, tokenIdOf } from '../../ledger/person.ts'

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

type Kind = Action['kind']

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
  ['put-user', 'suspend-user'],
  ['put-user', 'suspend-user', 'resume-user', 'delete-user'],
  ['subscribe', 'bounce'],
  ['subscribe', 'bounce', 'confirm', 'bounce'],
  ['subscribe-to-feeds'],
  ['subscribe-to-feeds', 'confirm'],
  ['subscribe', 'confirm', 'ask-to-move', 'move'],
  ['subscribe', 'confirm', 'ask-to-move', 'move', 'undo'],
  ['put-user', 'subscribe', 'confirm', 'ask-to-move', 'move', 'delete-user'],
]
const FOLLOWING = new Set<Kind>(['confirm', 'refuse', 'unsubscribe', 'ask-to-move', 'move', 'undo'])

/** Where a person may move to. */
export const newEmailOf = (email: string): string => `new-${email}`

/** The service, and the credentials to use. */
export interface Addressed {
  readonly url: string
  /** Of an administrator. */
  readonly token: string
  /** The folder to read links from; unless given, no link is followed. */
  readonly mails: string | undefined
  /** The token of a link to the preferences, which the caps of an address would keep back for minutes. */
  readonly preferencesToken: (subscriptionId: number) => string
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
        ...(AS_JSON.has(action.kind) ? { 'Content-Type': 'application/json' } : {}),
      },
      ...bodyOf(person, action),
    })
    const text = await answer.text()
    if (isSignUp(action)) person.subscriptionId = Number(/"id":(\d+)/.exec(text)?.[1])
    if (!answer.ok) throw new Error(`${action.kind} of ${person.email} was answered ${answer.status} ${text}`)
  }
}

/** Of what an administrator asks for. */
const METHODS: Readonly<Partial<Record<Action['kind'], string>>> = {
  'put-user': 'PUT',
  'delete-user': 'DELETE',
  'revoke-token': 'DELETE',
  'suspend-user': 'POST',
  'resume-user': 'POST',
  bounce: 'POST',
}
const AS_JSON = new Set<Kind>(['put-user', 'subscribe-to-feeds', 'bounce'])

const actionOf = (kind: Kind, turn: number, number: number): Action => {
  const name = `Person ${number}, turn ${turn}`
  if (kind === 'subscribe' || kind === 'subscribe-to-feeds' || kind === 'put-user') return { kind, name }
  if (kind === 'bounce') return { kind, status: number % 2 === 0 ? '5.1.1' : '4.2.2' }
  if (kind === 'delete-user') return { kind, subscriptions: number % 2 === 0 ? 'keep' : 'erase' }
  return { kind }
}

const bodyOf = ({ email, subscriptionId }: PersonInQuestion, action: Action): { body?: string | URLSearchParams } => {
  if (action.kind === 'subscribe') return { body: new URLSearchParams({ email, name: action.name }) }
  if (action.kind === 'put-user') return { body: JSON.stringify({ email, name: action.name, roles: ['auditor'] }) }
  if (action.kind === 'subscribe-to-feeds') return { body: JSON.stringify({ email, name: action.name, feeds: FEEDS }) }
  if (action.kind === 'bounce')
    return { body: JSON.stringify({ items: [{ ...action, subscription: subscriptionId }] }) }
  if (action.kind === 'ask-to-move') return { body: new URLSearchParams({ email: newEmailOf(email) }) }
  if (action.kind.endsWith('-user')) return {}
  return METHODS[action.kind] === 'DELETE' ? {} : { body: new URLSearchParams() }
}

const pathOf = async (
  { mails = '', preferencesToken }: Addressed,
  { userId, subscriptionId = 0 }: PersonInQuestion,
  action: Action,
): Promise<string> => {
  if (isSignUp(action)) return '/subscribe'
  if (action.kind === 'bounce') return '/feedback'
  if (action.kind === 'ask-to-move') return `/preferences/${preferencesToken(subscriptionId)}/move`
  if (action.kind === 'suspend-user') return `/users/${userId}/suspend`
  if (action.kind === 'resume-user') return `/users/${userId}/resume`
  if (action.kind === 'put-user') return `/users/${userId}`
  if (action.kind === 'delete-user') return `/users/${userId}?subscriptions=${action.subscriptions}`
  if (action.kind === 'revoke-token') return `/tokens/${tokenIdOf(userId)}`
  return await linkIn(mails, subscriptionId, action.kind)
}

const linkIn = async (mails: string, subscription: number, kind: string): Promise<string> => {
  const prefix = `${subscription.toString(36)}.`
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(10)) {
    for (const name of namesIn(mails).filter((file) => file.startsWith(prefix) && file.endsWith('.eml'))) {
      // As mails are encoded: long lines are broken by a `=` at their end.
      const text = readFileSync(path.join(mails, name), 'utf8').replaceAll('=\r\n', '')
      const link = new RegExp(`/${kind}/[0-9a-z.]+`).exec(text)?.[0]
      if (link !== undefined) return link
    }
  }
  throw new Error(`no mail to ${kind} came about the subscription ${subscription}`)
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is made for the first mail.
    return []
  }
}
