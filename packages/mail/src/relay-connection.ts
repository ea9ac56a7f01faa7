import { TLSSocket } from 'node:tls'
import { MailRefusedPermanently, SECOND } from '@rollcall/core'
import type { NodemailerError } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { ComposedMail } from './compose-mail.ts'
import { type Relay, RelayTrouble, type SmtpTimeouts } from './relay.ts'

/** How long a relay may take to answer QUIT. */
const QUIT_TIMEOUT = 1 * SECOND
const SERVICE_NOT_AVAILABLE = 421
const REFUSED_MAIL = new Set<string | undefined>(['EENVELOPE', 'EMESSAGE'])
const LOST = new Set<string | undefined>(['ECONNECTION', 'ESOCKET'])

type Done = (error?: Error | null) => void

/** A session with the relay, for one mail after another. Whatever it throws is an error of nodemailer's. */
export class RelayConnection {
  readonly #smtp: SMTPConnection
  readonly #credentials: Relay['credentials']
  readonly #ended: Promise<void>
  /** How many the relay has taken. */
  mails = 0
  #failure: Error = Object.assign(new Error('The connection was closed.'), { code: 'ECONNECTION' })

  constructor(relay: Relay, timeouts: SmtpTimeouts) {
    this.#smtp = new SMTPConnection(optionsFor(relay, timeouts))
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

  /** What protects it once it is connected; undefined where nothing does. */
  get protection(): Protection | undefined {
    const socket = this.#smtp._socket
    return socket instanceof TLSSocket ? protectionBy(socket) : undefined
  }

  get isLoggedIn(): boolean {
    return this.#smtp.authenticated
  }

  /** Resolves when it is encrypted as it must be, and logged in. */
  async connect(): Promise<void> {
    await this.#unlessEnded((done) => this.#smtp.connect(done))
    const credentials = this.#credentials
    if (credentials && this.#smtp.allowsAuth) await this.#unlessEnded((done) => this.#smtp.login({ credentials }, done))
  }

  /** Resolves once the relay has taken the mail. */
  async send({ envelope, bytes }: ComposedMail): Promise<void> {
    try {
      await this.#unlessEnded((done) => this.#smtp.send({ from: envelope.from, to: [envelope.to] }, bytes, done))
      this.mails++
    } catch (error) {
      await this.#recoverFrom(error as NodemailerError)
      throw error
    }
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

  /** Where the mail was refused, but not its session, the next one may use it. */
  async #recoverFrom({ code, responseCode }: NodemailerError): Promise<void> {
    if (REFUSED_MAIL.has(code) && responseCode !== SERVICE_NOT_AVAILABLE && this.isOpen) {
      const reset = this.#unlessEnded((done) => this.#smtp.reset(done))
      await reset.catch(() => this.abandon())
    } else this.abandon()
  }

  // Nodemailer forgets what it was asked for when a connection ends.
  #unlessEnded(ask: (done: Done) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const onEnd = (): void => reject(this.#failure)
      this.#smtp.once('end', onEnd)
      ask((error) => {
        this.#smtp.off('end', onEnd)
        if (error) reject(error)
        else resolve()
      })
    })
  }
}

/** TLS, and how good it is. */
export interface Protection {
  /** Why the certificate cannot be relied on; undefined where it is good. */
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

/** Whether it was the session that came to its end, which need not mean anything for the mail. */
export const isLoss = ({ code, responseCode }: NodemailerError): boolean =>
  LOST.has(code) || responseCode === SERVICE_NOT_AVAILABLE

const optionsFor = (relay: Relay, timeouts: SmtpTimeouts) => ({
  host: relay.host,
  port: relay.port,
  secure: relay.secure,
  ...(relay.encryption === 'required'
    ? { requireTLS: true }
    : { opportunisticTLS: true, tls: { rejectUnauthorized: false } }),
  dnsTimeout: timeouts.connection,
  connectionTimeout: timeouts.connection,
  greetingTimeout: timeouts.greeting,
  socketTimeout: timeouts.silence,
  socketCloseTimeout: QUIT_TIMEOUT,
})

// About the dialogue, the relay or this service's account there, not about this address (RFC 5321 section 4.2.3,
// RFC 4954 section 6): unknown or misplaced commands, authentication that is missing or failed.
const NOT_ABOUT_THE_ADDRESS = new Set([500, 502, 503, 504, 530, 534, 535, 538])
// A permanent refusal earlier on (greeting, EHLO, AUTH, MAIL FROM) is about this service: an operator can fix that, and
// the mail is still due.
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])

/** What a failed sending to this address means, in words that may be stored and shown. */
export const relayError = (error: NodemailerError, relay: Relay, to: string | undefined): Error => {
  const message = redacted(wordsFor(error), [...(to === undefined ? [] : partsOf(to)), ...secretsOf(relay)])
  if (!isPermanent(error)) return new RelayTrouble(message)
  return new MailRefusedPermanently(message, { recipientStatus: recipientStatus(error) })
}

/** With which enhanced status code the recipient was refused. Without one, it may be the relay that is not set up. */
const recipientStatus = ({ command, response = '' }: NodemailerError): string | undefined =>
  command === 'RCPT TO' ? /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response)?.[1] : undefined

const isPermanent = ({ command, responseCode = 0 }: NodemailerError): boolean =>
  ABOUT_THE_MAIL.has(command ?? '') &&
  responseCode >= 500 &&
  responseCode < 600 &&
  !NOT_ABOUT_THE_ADDRESS.has(responseCode)

const wordsFor = (error: NodemailerError): string => {
  if (error.code === 'EABORT') return 'The relay took too long.'
  if (error.response !== undefined && error.command)
    return `The relay answered ${error.command} with: ${error.response}`
  return `The relay could not be used: ${error.message}`
}

const LONGEST = 400
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const ADDRESS = /[^\s<>"',;:()[\]]+@[^\s<>"',;:()[\]]+/g

/** Relays like to repeat the address, or its parts; none of it may outlive its subscription in a log. */
const redacted = (text: string, secrets: readonly string[]): string =>
  secrets
    .reduce((words, secret) => words.replace(occurrences(secret), '<hidden>'), text.replace(ADDRESS, '<hidden>'))
    .replace(CONTROLS, ' ')
    .slice(0, LONGEST)
    .toWellFormed()

/** Long enough to be looked for within other words, such as `%40example.com`. */
const DISTINCTIVE = 4

const occurrences = (secret: string): RegExp => {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return secret.length < DISTINCTIVE
    ? new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'giu')
    : new RegExp(literal, 'giu')
}

/** Of an address: what a relay may repeat in its answer. */
const partsOf = (address: string): readonly string[] => {
  const at = address.lastIndexOf('@')
  return [address, address.slice(0, at), address.slice(at + 1)]
}

/** Of a relay: what must not be in a log. */
const secretsOf = ({ credentials }: Relay): readonly string[] => {
  if (!credentials) return []
  const { user, pass } = credentials
  return [user, pass, ...[user, pass, `\0${user}\0${pass}`].map((text) => Buffer.from(text).toString('base64'))]
}
