import { type Mail, SECOND } from '@rollcall/core'
import { createTransport, type NodemailerError } from 'nodemailer'
import { composeMail } from './compose-mail.ts'
import type { MailOrigin } from './mail-origin.ts'
import type { MailTemplates } from './mail-templates.ts'
import type { Relay } from './relay-address.ts'
import { relayError } from './relay-error.ts'
import type { SmtpTimeouts } from './smtp-timeouts.ts'

/** How often a mail that a dying connection had not begun to send is given to another one. */
const MOST_REQUEUES = 2
const GOODBYE = 1 * SECOND

/** Connections to one relay, opened as they are needed and used again. */
export class RelayPool {
  readonly #relay: Relay
  readonly #mailTimeout: number
  readonly #pool: ReturnType<typeof openPool>
  readonly #underway = new Set<Promise<unknown>>()

  constructor(relay: Relay, timeouts: SmtpTimeouts, connections: number) {
    this.#relay = relay
    this.#mailTimeout = timeouts.mail
    this.#pool = openPool(relay, timeouts, connections)
  }

  /**
   * Resolves once the relay has taken the mail.
   * @throws {MailRefusedForGood}
   * @throws {RelayTrouble}
   */
  async send(mail: Mail, origin: MailOrigin, templates: MailTemplates): Promise<void> {
    const message = composeMail(mail, origin, templates)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), this.#mailTimeout)
    const sending = this.#pool.sendMail({ ...message, signal: deadline.signal })
    this.#underway.add(sending)
    try {
      await sending
    } catch (error) {
      // Not as its cause: nodemailer's error holds the address and the relay's words.
      throw relayError(error as NodemailerError, [...partsOf(mail.to), ...secretsOf(this.#relay)])
    } finally {
      clearTimeout(timer)
      this.#underway.delete(sending)
    }
  }

  /** Finishes what is under way, which takes as long as one mail may take, then hangs up. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underway)
    this.#pool.close()
  }
}

const openPool = (relay: Relay, timeouts: SmtpTimeouts, connections: number) =>
  createTransport({
    pool: true,
    maxConnections: connections,
    maxRequeues: MOST_REQUEUES,
    host: relay.host,
    port: relay.port,
    secure: relay.secure,
    ...(relay.credentials && { auth: relay.credentials }),
    ...(relay.encryption === 'required'
      ? { requireTLS: true }
      : { opportunisticTLS: true, tls: { rejectUnauthorized: false } }),
    dnsTimeout: timeouts.connection,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    socketCloseTimeout: GOODBYE,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

const partsOf = (address: string): readonly string[] => {
  const at = address.lastIndexOf('@')
  return [address, address.slice(0, at), address.slice(at + 1)]
}

const secretsOf = ({ credentials }: Relay): readonly string[] => {
  if (!credentials) return []
  const { user, pass } = credentials
  const encoded = [user, pass, `\0${user}\0${pass}`].map((text) => Buffer.from(text).toString('base64'))
  return [user, pass, ...encoded]
}
