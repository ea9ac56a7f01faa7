import { LinkTokens, PREFERENCES_LIFE } from '@rollcall/core'
import { linkSigning } from '../../../proving/shared/link-signing.ts'
import type { Link, Mailbox } from '../../../proving/shared/mailbox.ts'
import { opened, request } from '../raw.ts'
import { rowsOf, runSql } from '../sql.ts'
import type { Target } from '../target.ts'
import { waitUntil } from '../wait-until.ts'
import { KeptConnection } from './kept-connection.ts'

/** Many addresses of which the same is known. */
export interface Known {
  readonly label: string
  /** Which link of the first mail is followed. */
  readonly follows?: Link
  /** Whether a mail to it came back with a permanent failure. */
  readonly isUndeliverable?: boolean
  readonly isErased?: boolean
  /** Whether its reminder waits in the outbox, as where the relay is down. */
  readonly isReminded?: boolean
  /** Whether it had a mail just now, so that the caps hold; else all of it is long ago. */
  readonly isCapped?: boolean
}

/** All of the same length. */
export const addressOf = (label: string, n: number): string =>
  `${label.padEnd(18, '-')}${String(n).padStart(6, '0')}@example.com`

const FORM = 'Content-Type: application/x-www-form-urlencoded'
const JSON_BODY = 'Content-Type: application/json'
const ACCEPT = 'Accept: application/json'

export const form = (path: string, fields: Readonly<Record<string, string>>): Buffer =>
  request(`POST ${path}`, [FORM, ACCEPT], new URLSearchParams(fields).toString())

export const json = (line: string, body: unknown, ...fields: readonly string[]): Buffer =>
  request(line, [JSON_BODY, ...fields], JSON.stringify(body))

const AT_ONCE = 32

/** Asks for each of many, on a few connections. */
export const askAll = async (target: Target, questions: Iterable<Buffer>): Promise<void> => {
  const queue = [...questions].values()
  const work = async (): Promise<void> => {
    const connection = new KeptConnection(await opened(target.port))
    for (const bytes of queue) {
      const { status } = await connection.ask(bytes)
      if (![200, 201, 204].includes(status)) throw new Error(`a request that prepares the attack is answered ${status}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Milliseconds that a mail of many may take. */
const LONGEST_MAIL = 10
/** More would wait for an administrator, on one day. */
const MOST_FEEDBACK = 100
/** As if all of it was long ago: no cap holds any more. */
const AGE = ['DELETE FROM mail_cap', 'UPDATE consent SET at = at - 86400000']

/** A reminder for each subscription whose address begins so, due tomorrow. */
const remind = (label: string): string[] => {
  const subscriptions = `FROM subscription WHERE feed = 'default' AND email LIKE '${label}-%'`
  const [now, tomorrow] = [Date.now(), Date.now() + 86_400_000]
  return [
    `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before, expires_at)
      SELECT 'reminder', id, '${'0'.repeat(32)}', 'reminder-of-' || id, ${now}, ${tomorrow}, expires_at ${subscriptions}`,
    `UPDATE subscription SET last_mail =
      (SELECT id FROM outbox WHERE kind = 'reminder' AND subscription_id = subscription.id)
      WHERE id IN (SELECT id ${subscriptions})`,
  ]
}

/** The addresses that the attacker asks about, and what a stranger may have of them. */
export class KnownAddresses {
  readonly #target: Target
  readonly #mailbox: Mailbox
  readonly #ids = new Map<string, number>()
  readonly #links: LinkTokens

  private constructor(target: Target, mailbox: Mailbox, links: LinkTokens) {
    this.#target = target
    this.#mailbox = mailbox
    this.#links = links
  }

  /** Makes `count` addresses of each kind; those of which nothing is known need no preparation. */
  static async prepare(target: Target, mailbox: Mailbox, kinds: readonly (Known & { readonly count: number })[]) {
    const known = new KnownAddresses(target, mailbox, new LinkTokens(await linkSigning(target.home.data)))
    const admin = `Authorization: Bearer ${await target.token('root', 'admin')}`
    await askAll(target, [json('PUT /feeds/news', {}, admin)])
    const of = (kind: { readonly label: string; readonly count: number }): string[] =>
      Array.from({ length: kind.count }, (_, n) => addressOf(kind.label, n))
    const old = kinds.filter(({ isCapped, follows }) => !isCapped || follows !== undefined)
    await known.#signUp(old.flatMap(of))
    for (const kind of old) {
      const { follows } = kind
      if (follows === undefined) continue
      await askAll(
        target,
        of(kind).map((email) => form(`/${follows}/${mailbox.token(email, follows)}`, { a: 'b' })),
      )
    }
    for (const { id, email } of await rowsOf<{ id: number | string; email: string }>(
      target,
      "SELECT id, email FROM subscription WHERE feed = 'default'",
    ))
      known.#ids.set(email, Number(id))
    await known.#bounce(kinds.filter(({ isUndeliverable }) => isUndeliverable).flatMap(of), admin)
    const erased = kinds.filter(({ isErased }) => isErased).flatMap(of)
    await askAll(
      target,
      erased.map((email) => request(`DELETE /subscriptions/${known.#id(email)}`, [admin])),
    )
    await target.stop()
    await runSql(target, [
      ...AGE,
      ...kinds.flatMap(({ label, isReminded = false }) => (isReminded ? remind(label) : [])),
    ])
    await target.start()
    await known.#signUp(kinds.filter(({ isCapped }) => isCapped).flatMap(of))
    return known
  }

  manageToken(email: string): string {
    return this.#links.signId('manage', this.#id(email))
  }

  preferencesToken(email: string): string {
    return this.#links.signPreferences(this.#id(email), Date.now() + PREFERENCES_LIFE)
  }

  /** Until each has got one more mail. */
  async #signUp(emails: readonly string[]): Promise<void> {
    const before = new Map(emails.map((email) => [email, this.#mailbox.of(email).length]))
    await askAll(
      this.#target,
      emails.map((email) => form('/subscribe', { email })),
    )
    const isMailed = (email: string): boolean => this.#mailbox.of(email).length > (before.get(email) ?? 0)
    const patience = 60_000 + emails.length * LONGEST_MAIL
    await waitUntil(() => emails.every(isMailed), 'all mails for known addresses', patience)
  }

  async #bounce(emails: readonly string[], admin: string): Promise<void> {
    const at = new Date().toISOString()
    for (let n = 0; n < emails.length; n += MOST_FEEDBACK) {
      const items = emails.slice(n, n + MOST_FEEDBACK).map((email) => {
        return { kind: 'bounce', status: '5.1.1', subscription: this.#id(email), at }
      })
      await askAll(this.#target, [json('POST /feedback', { items }, admin)])
      // As if it was another day.
      await runSql(this.#target, ['DELETE FROM feedback_count'])
    }
    const [found] = await rowsOf<{ count: number | string }>(
      this.#target,
      "SELECT count(*) AS count FROM deliverability WHERE state = 'undeliverable'",
    )
    if (Number(found?.count) !== emails.length) throw new Error('feedback that prepares the attack was not taken')
  }

  #id(email: string): number {
    const id = this.#ids.get(email)
    if (id === undefined) throw new Error(`${email} has no subscription`)
    return id
  }
}
