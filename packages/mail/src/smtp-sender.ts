import type { Mail, ShownMail } from '@rollcall/core'
import { type MailOrigin, mailOrigin } from './mail-settings.ts'
import { MailTemplates } from './mail-templates.ts'
import { relayAddress } from './relay.ts'
import type { RelayPool } from './relay-pool.ts'
import { shownMail } from './shown-mail.ts'
import { type SmtpTimeouts, TIMEOUTS } from './smtp-timeouts.ts'

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

export const CONNECTIONS = 10

export interface SmtpSender {
  readonly origin: MailOrigin
  show(mail: Mail): Promise<ShownMail>
  /**
   * @throws {MailRefusedPermanently}
   * @throws {MailUnanswered}
   * @throws {RelayTrouble}
   * @throws {MailWithdrawn}
   */
  send(mail: Mail, isDue?: () => Promise<boolean>): Promise<void>
  close(): Promise<void>
}

/**
 * Renders mails and hands them to a relay, over a pool of connections.
 * @throws {MailSettingsNotUsable} relay, sender or templates are not usable as given
 */
export const smtpSender = (options: SmtpTransportOptions): SmtpSender => {
  const origin = mailOrigin(options.from, options.publicUrl)
  const templates = new MailTemplates(options.templatesDir)
  const relay = relayAddress(options.url)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  let opening: Promise<RelayPool> | undefined
  // With the first mail: most command lines send none, and loading nodemailer takes longer than all the rest.
  const open = (): Promise<RelayPool> => {
    opening ??= import('./relay-pool.ts').then(({ RelayPool }) => new RelayPool(relay, timeouts, CONNECTIONS))
    return opening
  }
  return {
    origin,
    show: (mail) => shownMail(mail, origin, templates),
    send: async (mail, isDue) => await (await open()).send(mail, { origin, templates, isDue }),
    close: async () => await (await opening)?.close(),
  }
}
