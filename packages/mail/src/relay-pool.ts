import { type Mail, SECOND } from '@rollcall/core'
import type { NodemailerError } from 'nodemailer'
import { type ComposedMail, composeMail } from './compose-mail.ts'
import type { MailOrigin } from './mail-settings.ts'
import type { MailTemplates } from './mail-templates.ts'
import type { Relay, SmtpTimeouts } from './relay.ts'
import { isLoss, RelayConnection, relayError } from './relay-connection.ts'

/**
 * Connections to one relay. Not nodemailer's own pool: that streams every message through a dozen stages, which takes
 * twice the time and half as much memory again.
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
   * @throws {RelayTrouble}
   */
  async send(mail: Mail, origin: MailOrigin, templates: MailTemplates): Promise<void> {
    const message = composeMail(mail, origin, templates)
    const sending = this.#over((connection) => connection.send(message))
    this.#sending.add(sending)
    try {
      await sending
    } catch (error) {
      // Not as its cause: nodemailer's error holds the address and the relay's words.
      throw relayError(error as NodemailerError, this.#relay, mail.to)
    } finally {
      this.#sending.delete(sending)
    }
  }

  /** Finishes what is under way, which takes as long as one mail may take, then hangs up. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#sending)
    await Promise.all(this.#connections.map((connection) => connection.close()))
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

/** Some relays count the mails of one session, and hang up where they are too many. */
const MOST_MAILS = 100
/** Soon enough that no relay, and no router in between, has forgotten the session meanwhile. */
const IDLE = 10 * SECOND

/** One mail after another, over a connection that is opened when it is needed and used again while it lasts. */
class PooledConnection {
  readonly #relay: Relay
  readonly #timeouts: SmtpTimeouts
  #connection: RelayConnection | undefined
  #late = false
  #idle: NodeJS.Timeout | undefined

  constructor(relay: Relay, timeouts: SmtpTimeouts) {
    this.#relay = relay
    this.#timeouts = timeouts
  }

  /**
   * Resolves once the relay has taken the mail. For one mail at a time.
   * @throws {NodemailerError} with code EABORT where it took too long in all
   */
  async send(mail: ComposedMail): Promise<void> {
    clearTimeout(this.#idle)
    this.#late = false
    const deadline = setTimeout(() => {
      this.#late = true
      this.#connection?.abandon()
    }, this.#timeouts.mail)
    try {
      await this.#sendOver(mail)
    } catch (error) {
      throw this.#late ? Object.assign(new Error('The relay took too long.'), { code: 'EABORT' }) : error
    } finally {
      clearTimeout(deadline)
      this.#idle = setTimeout(() => this.close(), IDLE).unref()
    }
  }

  /** Ends the session; not while a mail is under way. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const connection = this.#connection
    this.#connection = undefined
    await connection?.close()
  }

  async #sendOver(mail: ComposedMail): Promise<void> {
    if ((this.#connection?.mails ?? 0) >= MOST_MAILS) void this.close()
    const used = this.#connection
    if (used?.isOpen) {
      try {
        return await used.send(mail)
      } catch (error) {
        // It may have been gone before it was used.
        if (this.#late || !isLoss(error as NodemailerError)) throw error
      }
    }
    const fresh = new RelayConnection(this.#relay, this.#timeouts)
    this.#connection = fresh
    await fresh.connect()
    await fresh.send(mail)
  }
}
