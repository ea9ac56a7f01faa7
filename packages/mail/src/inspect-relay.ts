import { randomUUID } from 'node:crypto'
import MimeNode from 'nodemailer/lib/mime-node'
import { mailOrigin } from './mail-settings.ts'
import { RelayTrouble, relayAddress } from './relay.ts'
import { type Protection, RelayConnection } from './relay-connection.ts'
import { relayError, type SendingError } from './relay-error.ts'
import { type SmtpTimeouts, TIMEOUTS } from './smtp-timeouts.ts'

export { RelayTrouble }

/** What a relay is like for a service that sends mails by it. */
export interface RelayInspection {
  readonly host: string
  readonly port: number
  /** Undefined if what is said can be read on the way. */
  readonly protection: Protection | undefined
  /** Whether a name and a password are configured, and whether the relay has taken them. */
  readonly login: 'none' | 'taken' | 'not-offered'
}

export interface RelayInspectionOptions {
  /** `smtp(s)://user:password@host:port` */
  readonly url: string
  /** A mail that says that mails get out; none is sent if none is given. */
  readonly testMail?: { readonly from: string; readonly to: string; readonly publicUrl: string } | undefined
  readonly timeouts?: Partial<SmtpTimeouts> | undefined
}

/**
 * Connects and logs in as for a mail, and hangs up.
 * @throws {MailSettingsNotUsable} relay or sender are not usable as given
 * @throws {RelayTrouble} with what the relay says
 * @throws {MailRefusedPermanently} it does not take the test mail
 * @throws {MailUnanswered} it got the test mail, and does not say whether it takes it
 */
export const inspectRelay = async ({ url, testMail, timeouts }: RelayInspectionOptions): Promise<RelayInspection> => {
  const relay = relayAddress(url)
  const connection = new RelayConnection(relay, { ...TIMEOUTS, ...timeouts })
  try {
    await connection.connect()
    const { protection, isLoggedIn } = connection
    if (testMail !== undefined) await connection.send(composed(testMail))
    const login = relay.credentials === undefined ? 'none' : isLoggedIn ? 'taken' : 'not-offered'
    return { host: relay.host, port: relay.port, protection, login }
  } catch (error) {
    throw relayError(error as SendingError, relay, testMail?.to)
  } finally {
    await connection.close()
  }
}

const composed = ({ from, to, publicUrl }: NonNullable<RelayInspectionOptions['testMail']>) => {
  const { sender, host, domain } = mailOrigin(from, publicUrl)
  const recipient = { name: '', address: to }
  const mail = new MimeNode('text/plain; charset=utf-8')
  mail.setHeader({
    From: sender,
    To: recipient,
    Subject: `A test mail from ${host}`,
    'Message-ID': `<${randomUUID()}@${domain}>`,
    'Auto-Submitted': 'auto-generated',
    'Content-Transfer-Encoding': '7bit',
  })
  const bytes = Buffer.from(`${mail.buildHeaders()}\r\n\r\n${TEXT}`, 'latin1')
  return { envelope: { from: sender.address, to }, bytes }
}

const TEXT = `If you can read this, mails of this service get out.\r
\r
Look at the source of this mail, too: Authentication-Results should say\r
dkim=pass for the domain of the sender. Only then do mail programs offer\r
to unsubscribe with one click.\r
`
