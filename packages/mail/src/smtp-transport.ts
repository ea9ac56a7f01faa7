import type { MailTransport } from '@rollcall/core'
import { FAILPOINTS } from './failpoints.ts'
import type { MailTheme } from './mail-colours.ts'
import { mailOrigin } from './mail-settings.ts'
import { MailTemplates } from './mail-templates.ts'
import { RelayTrouble, relayAddress, type SmtpTimeouts, TIMEOUTS } from './relay.ts'
import type { RelayPool } from './relay-pool.ts'

export interface SmtpTransportOptions {
  /** `smtp(s)://user:password@host:port` */
  readonly url: string
  /** Who mails come from: `Name <name@example.com>` */
  readonly from: string
  /** What links begin with; its host is named in mails and their ids. */
  readonly publicUrl: string
  /** Files here replace the built-in templates of the same name, one by one. */
  readonly templatesDir?: string | undefined
  readonly theme?: MailTheme | undefined
  readonly timeouts?: Partial<SmtpTimeouts> | undefined
}

const CONNECTIONS = 10

/**
 * Hands mails to a relay, over a pool of connections.
 * @throws {MailSettingsNotUsable} relay, sender or templates are not usable as given
 */
export const createSmtpTransport = (options: SmtpTransportOptions): MailTransport => {
  const origin = mailOrigin(options.from, options.publicUrl)
  const templates = new MailTemplates(options.templatesDir, options.theme)
  const relay = relayAddress(options.url)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  let opening: Promise<RelayPool> | undefined
  let closed = false

  return {
    domain: origin.domain,
    keepsMails: false,
    concurrency: CONNECTIONS,
    send: async (mail) => {
      if (closed) throw new RelayTrouble('The mail transport was closed.')
      // With the first mail: most command lines send none, and loading nodemailer takes longer than all the rest.
      opening ??= import('./relay-pool.ts').then(({ RelayPool }) => new RelayPool(relay, timeouts, CONNECTIONS))
      const pool = await opening
      FAILPOINTS.beforeSend.publish(undefined)
      await pool.send(mail, origin, templates)
      FAILPOINTS.afterSend.publish(undefined)
    },
    forget: async () => {},
    close: async () => {
      closed = true
      await (await opening)?.close()
    },
  }
}
