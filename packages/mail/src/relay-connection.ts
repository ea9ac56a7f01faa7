import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { SECOND } from '@rollcall/core'
import type { NodemailerError } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { ComposedMail } from './compose-mail.ts'
import { DialogueTimer } from './dialogue-timer.ts'
import type { Relay } from './relay.ts'
import { isAnswerToMail, type SendingError, tooLate } from './relay-error.ts'
import type { SmtpTimeouts } from './smtp-timeouts.ts'

/** How long a relay may take to answer QUIT. */
const QUIT_TIMEOUT = 1 * SECOND
/** How long one may take to say that it is still there. */
const PROBE_TIMEOUT = 10 * SECOND
const SERVICE_NOT_AVAILABLE = 421
const REFUSED_MAIL = new Set<string | undefined>(['EENVELOPE', 'EMESSAGE'])

/** What nodemailer keeps of the answers to MAIL and RCPT, and its types leave out. */
interface Envelope {
  readonly mailError?: NodemailerError
  readonly rejectedErrors?: readonly NodemailerError[]
}

type Done = (error?: Error | null) => void

/** A session with the relay, for one mail after another. Whatever it throws is an error of nodemailer's. */
export class RelayConnection {
  readonly #smtp: SMTPConnection
  readonly #timer: DialogueTimer
  readonly #credentials: Relay['credentials']
  readonly #ended: Promise<void>
  /** How many the relay has taken. */
  mails = 0
  #failure: Error = Object.assign(new Error('The connection was closed.'), { code: 'ECONNECTION' })

  constructor(relay: Relay, timeouts: SmtpTimeouts) {
    this.#timer = new DialogueTimer(timeouts, (phase) => this.#abandon(tooLate(phase, timeouts[phase])))
    // Nodemailer takes the time of the greeting off that for a connection, which it shares among the relay's addresses.
    const onConnected = (): void => void Object.assign(this.#smtp, { _connectionDeadline: undefined })
    this.#smtp = new SMTPConnection({
      ...optionsFor(relay, timeouts),
      logger: this.#timer.logger(onConnected),
      transactionLog: true,
    })
    this.#credentials = relay.credentials
    // Nothing may be waiting for it: a relay hangs up on an idle client.
    this.#smtp.on('error', (error: Error) => {
      this.#failure = error
    })
    this.#ended = new Promise((resolve) => this.#smtp.once('end', resolve))
  }

  get isOpen(): boolean {
    return this.#smtp.destroyed !== true
  }

  /** What protects it once it is connected; undefined if nothing does. */
  get protection(): Protection | undefined {
    const socket = this.#smtp._socket
    return socket instanceof TLSSocket ? protectionBy(socket) : undefined
  }

  get isLoggedIn(): boolean {
    return this.#smtp.authenticated
  }

  /** Resolves when it is encrypted as it must be, and logged in if the relay offers that. Is closed if it throws. */
  async connect(): Promise<void> {
    this.#timer.start('connect')
    const credentials = this.#credentials
    try {
      await this.#unlessEnded((done) => this.#smtp.connect(done))
      if (credentials && this.#smtp.allowsAuth) await this.#command((done) => this.#smtp.login({ credentials }, done))
    } catch (error) {
      // A relay refuses for ever what comes over a session without the login, which failed for a while maybe.
      this.abandon()
      throw error
    }
  }

  /**
   * Whether the relay is still there, and has forgotten any mail before. Nothing of the next mail was sent when it is not.
   */
  async isAlive(): Promise<boolean> {
    if (!this.isOpen) return false
    const late = setTimeout(() => this.abandon(), PROBE_TIMEOUT)
    try {
      await this.#command((done) => this.#smtp.reset(done))
      return true
    } catch {
      this.abandon()
      return false
    } finally {
      clearTimeout(late)
    }
  }

  /**
   * Resolves once the relay has taken the mail.
   * @throws {SendingError} which says whether the relay may have taken it
   */
  async send({ envelope, bytes }: ComposedMail): Promise<void> {
    // Nodemailer reads it when the relay has said yes to DATA, and writes the dot after its end.
    const message = Readable.from([bytes], { objectMode: false })
    let handedOver = false
    message.once('end', () => {
      handedOver = true
    })
    try {
      if (this.#credentials && !this.isLoggedIn)
        throw new Error('it offers no login, though a user and a password are set')
      await this.#command((done) => this.#smtp.send({ from: envelope.from, to: [envelope.to] }, message, done))
      this.mails++
    } catch (error) {
      const mayHaveArrived = handedOver && !isAnswerToMail(error as NodemailerError)
      if (mayHaveArrived || !isRefusal(error as NodemailerError)) this.abandon()
      const said = handedOver ? error : (this.#refusal ?? error)
      throw Object.assign(said as NodemailerError, { mayHaveArrived }) satisfies SendingError
    }
  }

  /** What the relay has refused of the envelope of this mail, also if it hung up afterwards, before it answered DATA. */
  get #refusal(): NodemailerError | undefined {
    const { _envelope } = this.#smtp as { readonly _envelope?: Envelope | false }
    return _envelope ? (_envelope.mailError ?? _envelope.rejectedErrors?.at(-1)) : undefined
  }

  /** Sends QUIT, and is closed soon afterwards, whatever the relay says. */
  async close(): Promise<void> {
    if (!this.isOpen) return
    this.#smtp.quit()
    const timer = setTimeout(() => this.abandon(), QUIT_TIMEOUT)
    await this.#ended
    clearTimeout(timer)
  }

  /** Closes it at once, whatever it is doing. */
  abandon(): void {
    this.#smtp.close()
  }

  #abandon(reason: Error): void {
    this.#failure = reason
    this.abandon()
  }

  #command(ask: (done: Done) => void): Promise<void> {
    this.#timer.start('command')
    return this.#unlessEnded(ask)
  }

  // Nodemailer forgets what it was asked for when a connection ends.
  async #unlessEnded(ask: (done: Done) => void): Promise<void> {
    const asked = Promise.withResolvers<void>()
    // It tells of the end before it gives the answer that led to it.
    const onEnd = (): void => queueMicrotask(() => asked.reject(this.#failure))
    this.#smtp.once('end', onEnd)
    try {
      ask((error) => (error ? asked.reject(error) : asked.resolve()))
      await asked.promise
    } finally {
      this.#smtp.off('end', onEnd)
      this.#timer.stop()
    }
  }
}

/** TLS, and how good it is. */
export interface Protection {
  /** Why the certificate cannot be relied on; undefined if it is good. */
  readonly distrust: string | undefined
  /** Milliseconds since 1970. */
  readonly expires: number | undefined
}

const protectionBy = (socket: TLSSocket): Protection => {
  const expires = Date.parse(socket.getPeerCertificate().valid_to)
  return {
    distrust: socket.authorized ? undefined : String(socket.authorizationError),
    expires: Number.isNaN(expires) ? undefined : expires,
  }
}

/** Whether the relay refused the mail, but not the session, which the next one may use. */
const isRefusal = ({ code, responseCode }: NodemailerError): boolean =>
  REFUSED_MAIL.has(code) && responseCode !== SERVICE_NOT_AVAILABLE

/** Longer than any part of a dialogue, which `DialogueTimer` ends. */
const silence = (timeouts: SmtpTimeouts): number => 2 * Math.max(...Object.values(timeouts))

const optionsFor = (relay: Relay, timeouts: SmtpTimeouts) => ({
  host: relay.host,
  port: relay.port,
  secure: relay.secure,
  ...(relay.encryption === 'required'
    ? { requireTLS: true }
    : { opportunisticTLS: true, tls: { rejectUnauthorized: false } }),
  dnsTimeout: timeouts.connect,
  connectionTimeout: timeouts.connect,
  greetingTimeout: timeouts.greeting,
  socketTimeout: silence(timeouts),
  socketCloseTimeout: QUIT_TIMEOUT,
})
