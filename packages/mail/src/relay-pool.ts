import { type Mail, MailWithdrawn, SECOND } from '@rollcall/core'
import { type ComposedMail, composeMail } from './compose-mail.ts'
import type { MailOrigin } from './mail-settings.ts'
import type { MailTemplates } from './mail-templates.ts'
import { type Relay, RelayTrouble } from './relay.ts'
import { RelayConnection } from './relay-connection.ts'
import { relayError, type SendingError } from './relay-error.ts'
import type { SmtpTimeouts } from './smtp-timeouts.ts'

interface Circumstances {
  readonly origin: MailOrigin
  readonly templates: MailTemplates
  readonly isDue?: (() => Promise<boolean>) | undefined
}

/**
 * Connections to one relay. Not nodemailer's own pool: that sends a mail once more if a connection is lost, also after
 * the relay has taken it. Here each mail is begun once; the outbox decides on another try.
 */
export class RelayPool {
  readonly #relay: Relay
  readonly #connections: readonly PooledConnection[]
  /** The one that was used last comes first: a few connections for few mails. */
  readonly #free: PooledConnection[]
  readonly #waiting: ((connection: PooledConnection) => void)[] = []
  readonly #sending = new Set<Promise<unknown>>()

  constructor(relay: Relay, timeouts: SmtpTimeouts, connections: number) {
    this.#relay = relay
    this.#connections = Array.from({ length: connections }, () => new PooledConnection(relay, timeouts))
    this.#free = [...this.#connections]
  }

  /**
   * Resolves once the relay has taken the mail.
   * @throws {MailRefusedPermanently}
   * @throws {MailUnanswered}
   * @throws {RelayTrouble}
   * @throws {MailWithdrawn}
   */
  async send(mail: Mail, { origin, templates, isDue }: Circumstances): Promise<void> {
    const message = composeMail(mail, origin, templates)
    const sending = this.#over((connection) => connection.send(message, isDue))
    this.#sending.add(sending)
    try {
      await sending
    } catch (error) {
      if (error instanceof RelayTrouble || error instanceof MailWithdrawn) throw error
      // Not as its cause: nodemailer's error holds the address and the relay's words.
      throw relayError(error as SendingError, this.#relay, mail.to)
    } finally {
      this.#sending.delete(sending)
    }
  }

  /** Breaks off what is under way, and hangs up. */
  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()))
    await Promise.allSettled(this.#sending)
  }

  async #over(send: (connection: PooledConnection) => Promise<void>): Promise<void> {
    const connection =
      this.#free.pop() ?? (await new Promise<PooledConnection>((resolve) => this.#waiting.push(resolve)))
    try {
      await send(connection)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(connection)
      else this.#free.push(connection)
    }
  }
}

/** Some relays count the mails of one session, and hang up if they are too many. */
const MOST_MAILS = 100
/** Soon enough that no relay, and no router in between, has forgotten the session meanwhile. */
const IDLE = 10 * SECOND

/** One mail after another, over a connection that is opened when it is needed and used again while it lasts. */
class PooledConnection {
  readonly #relay: Relay
  readonly #timeouts: SmtpTimeouts
  #connection: RelayConnection | undefined
  #busy = false
  #closed = false
  #idle: NodeJS.Timeout | undefined

  constructor(relay: Relay, timeouts: SmtpTimeouts) {
    this.#relay = relay
    this.#timeouts = timeouts
  }

  /** Resolves once the relay has taken the mail. For one mail at a time. */
  async send(mail: ComposedMail, isDue = async () => true): Promise<void> {
    clearTimeout(this.#idle)
    this.#busy = true
    try {
      const connection = await this.#usable()
      if (!(await isDue())) throw new MailWithdrawn()
      if (!connection.isOpen) throw new RelayTrouble('The relay hung up before the mail was begun.')
      await connection.send(mail)
    } finally {
      this.#busy = false
      this.#idle = setTimeout(() => this.#hangUp(), IDLE).unref()
    }
  }

  /** Ends the session at once if a mail is under way, else with QUIT. There is no other afterwards. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#busy) this.#connection?.abandon()
    else await this.#hangUp()
  }

  async #hangUp(): Promise<void> {
    clearTimeout(this.#idle)
    const connection = this.#connection
    this.#connection = undefined
    await connection?.close()
  }

  async #usable(): Promise<RelayConnection> {
    if ((this.#connection?.mails ?? 0) >= MOST_MAILS) void this.#hangUp()
    // A relay may have hung up meanwhile: only a mail that was not begun may go over another connection.
    if (this.#connection !== undefined && (await this.#connection.isAlive())) return this.#connection
    if (this.#closed) throw new RelayTrouble('The mail transport was closed.')
    this.#connection = new RelayConnection(this.#relay, this.#timeouts)
    await this.#connection.connect()
    return this.#connection
  }
}
