import { type Mail, type MailTransport, SECOND } from '@rollcall/core'
import { createTransport, type NodemailerError } from 'nodemailer'
import { composeMail } from './compose-mail.ts'
import { mailOrigin } from './mail-origin.ts'
import { MailTemplates } from './mail-templates.ts'
import { type Relay, relayAddress } from './relay-address.ts'
import { relayError } from './relay-error.ts'

export interface SmtpTransportOptions {
  /** `smtp(s)://user:password@host:port` */
  readonly url: string
  /** Who mails come from: `Name <name@example.com>` */
  readonly from: string
  /** What links begin with; its host is named in mails and their ids. */
  readonly publicUrl: string
  /** Files here replace the built-in templates of the same name, one by one. */
  readonly templatesDir?: string | undefined
  readonly timeouts?: Partial<SmtpTimeouts> | undefined
}

/** Milliseconds. */
export interface SmtpTimeouts {
  /** To find the relay and to get a connection. */
  readonly connection: number
  /** From there to the greeting, and for encryption to start. */
  readonly greeting: number
  /** Without a byte from the relay. */
  readonly silence: number
  /** For one mail, everything included: shorter than the lease on it, or another worker would send it as well. */
  readonly mail: number
}

const TIMEOUTS: SmtpTimeouts = {
  connection: 10 * SECOND,
  greeting: 10 * SECOND,
  silence: 20 * SECOND,
  mail: 30 * SECOND,
}
const CONNECTIONS = 5
/** How often a mail that a dying connection had not begun to send is given to another one. */
const MOST_REQUEUES = 2
const GOODBYE = 1 * SECOND

/**
 * Hands mails to a relay, over a pool of connections.
 * @throws {MailSettingsNotUsable} relay, sender or templates are not usable as given
 */
export const createSmtpTransport = (options: SmtpTransportOptions): MailTransport => {
  const origin = mailOrigin(options.from, options.publicUrl)
  const templates = new MailTemplates(options.templatesDir)
  const relay = relayAddress(options.url)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const pool = openPool(relay, timeouts)
  const underway = new Set<Promise<unknown>>()

  const send = async (mail: Mail): Promise<void> => {
    const message = composeMail(mail, origin, templates)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeouts.mail)
    try {
      await pool.sendMail({ ...message, signal: deadline.signal })
    } catch (error) {
      // Not as its cause: nodemailer's error holds the address and the relay's words.
      throw relayError(error as NodemailerError, [...partsOf(mail.to), ...secretsOf(relay)])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    keepsMails: false,
    concurrency: CONNECTIONS,
    send: async (mail) => {
      const sending = send(mail)
      underway.add(sending)
      try {
        await sending
      } finally {
        underway.delete(sending)
      }
    },
    forget: async () => {},
    close: async () => {
      pool.close()
      await Promise.allSettled(underway)
    },
  }
}

const openPool = (relay: Relay, timeouts: SmtpTimeouts) =>
  createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
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
