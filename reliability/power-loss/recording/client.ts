import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deed } from '../../ledger/life.ts'
import type { Demand, PersonInQuestion } from './demand.ts'

const PATIENCE = 10_000

/** What a person goes through; every kind of deed, and every end, is in one of them. */
const LIVES: readonly (readonly Deed['kind'][])[] = [
  ['subscribe'],
  ['subscribe', 'confirm'],
  ['subscribe', 'subscribe'],
  ['put-user', 'subscribe', 'delete-user'],
  ['subscribe', 'confirm', 'unsubscribe', 'subscribe'],
  ['put-user', 'put-user'],
  ['subscribe', 'refuse', 'subscribe'],
  ['subscribe', 'put-user', 'confirm', 'delete-user'],
  ['put-user', 'delete-user'],
]
const FOLLOWING = new Set<Deed['kind']>(['confirm', 'refuse', 'unsubscribe'])

/** Who is asked, by whom. */
export interface Addressed {
  readonly url: string
  /** Of an administrator. */
  readonly token: string
  /** Where links are read from; without it nobody follows any. */
  readonly mails: string | undefined
}

export interface ClientOrder extends Addressed {
  readonly lanes: number
  /** Milliseconds from one request of a lane to its next. */
  readonly pause: number
}

/** Sends requests in several lanes, and notes each before it is sent. */
export class Client {
  readonly demands: Demand[] = []
  #persons = 0

  newPerson(): PersonInQuestion {
    const number = this.#persons++
    return { email: `person-${number}@example.com`, userId: `user-${number}` }
  }

  /** @throws {Error} something was not answered as it should be */
  async run(order: ClientOrder, until: number): Promise<void> {
    await Promise.all(
      Array.from({ length: order.lanes }, async () => {
        while (Date.now() < until) await this.#live(order)
      }),
    )
  }

  async #live(order: ClientOrder): Promise<void> {
    const person = this.newPerson()
    const number = this.#persons
    for (const [turn, kind] of (LIVES[number % LIVES.length] ?? []).entries()) {
      if (FOLLOWING.has(kind) && order.mails === undefined) return
      await this.ask(order, person, deedOf(kind, turn, number))
      await sleep(order.pause)
    }
  }

  /** @throws {Error} it was not answered as it should be */
  async ask(order: Addressed, person: PersonInQuestion, deed: Deed): Promise<void> {
    const path = await pathOf(order, person, deed)
    const requestId = `demand-${this.demands.length}`
    this.demands.push({ requestId, person, deed })
    const answer = await fetch(`${order.url}${path}`, {
      method: deed.kind === 'put-user' ? 'PUT' : deed.kind === 'delete-user' ? 'DELETE' : 'POST',
      headers: {
        'X-Request-Id': requestId,
        ...(deed.kind.endsWith('-user') ? { Authorization: `Bearer ${order.token}` } : {}),
        ...(deed.kind === 'put-user' ? { 'Content-Type': 'application/json' } : {}),
      },
      ...bodyOf(person, deed),
    })
    const text = await answer.text()
    if (deed.kind === 'subscribe') person.subscriptionId = Number(/"id":(\d+)/.exec(text)?.[1])
    if (!answer.ok) throw new Error(`${deed.kind} of ${person.email} was answered ${answer.status} ${text}`)
  }
}

const deedOf = (kind: Deed['kind'], turn: number, number: number): Deed => {
  const name = `Person ${number}, turn ${turn}`
  if (kind === 'subscribe' || kind === 'put-user') return { kind, name }
  if (kind === 'delete-user') return { kind, subscriptions: number % 2 === 0 ? 'keep' : 'erase' }
  return { kind }
}

const bodyOf = ({ email }: PersonInQuestion, deed: Deed): { body?: string | URLSearchParams } => {
  if (deed.kind === 'subscribe') return { body: new URLSearchParams({ email, name: deed.name }) }
  if (deed.kind === 'put-user') return { body: JSON.stringify({ email, name: deed.name, roles: ['auditor'] }) }
  return deed.kind === 'delete-user' ? {} : { body: new URLSearchParams() }
}

const pathOf = async (
  { mails = '' }: Addressed,
  { userId, subscriptionId = 0 }: PersonInQuestion,
  deed: Deed,
): Promise<string> => {
  if (deed.kind === 'subscribe') return '/subscribe'
  if (deed.kind === 'put-user') return `/users/${userId}`
  if (deed.kind === 'delete-user') return `/users/${userId}?subscriptions=${deed.subscriptions}`
  return await linkIn(mails, subscriptionId, deed.kind)
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
    // There is none before the first mail.
    return []
  }
}
