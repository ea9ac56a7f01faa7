import { isLoopback } from '@rollcall/platform-node'
import { MailSettingsNotUsable } from './mail-settings.ts'

export interface Relay {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** What must be encrypted, and for which server, before a name, a password or a mail is sent; see `relayAddress`. */
  readonly encryption: 'required' | 'if-offered'
  readonly credentials: { readonly user: string; readonly pass: string } | undefined
}

const SUBMISSION = 587
const SUBMISSIONS = 465

/**
 * Reads `smtp(s)://user:password@host:port`. `smtps` is TLS from the first byte. `smtp` with credentials insists on
 * STARTTLS and a good certificate, unless the relay is on this machine, where no one can listen in. `smtp` without
 * credentials takes STARTTLS if it is offered, with whatever certificate (RFC 7435): the alternative is no
 * encryption at all, not a better one.
 * @throws {MailSettingsNotUsable}
 */
export const relayAddress = (text: string): Relay => {
  const url = URL.parse(text)
  if (!url || !(url.protocol === 'smtp:' || url.protocol === 'smtps:')) throw notARelay('')
  if (url.hostname === '') throw notARelay('It names no host. ')
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw notARelay('Nothing may come after host and port. ')
  }
  const secure = url.protocol === 'smtps:'
  const host = decoded(url.hostname).replace(/^\[(.*)\]$/, '$1')
  const credentials = credentialsIn(url)
  const insist = secure || (credentials !== undefined && !isLoopback(host))
  return {
    host,
    port: url.port === '' ? (secure ? SUBMISSIONS : SUBMISSION) : Number(url.port),
    secure,
    encryption: insist ? 'required' : 'if-offered',
    credentials,
  }
}

const credentialsIn = (url: URL): Relay['credentials'] => {
  const user = decoded(url.username)
  const pass = decoded(url.password)
  if (user === '' && pass === '') return undefined
  if (user === '' || pass === '') throw notARelay('It has a user or a password, but not both. ')
  return { user, pass }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not even as a cause: the text may be a password.
    throw notARelay('A % sign in user or password must be written %25. ')
  }
}

const notARelay = (why: string): MailSettingsNotUsable =>
  new MailSettingsNotUsable(
    `The address of the mail relay cannot be used. ${why}Use smtp://host:port or smtps://user:password@host:port, with special characters percent-encoded.`,
    { setting: 'url' },
  )

/** The relay has not taken the mail this time; another try may help. Holds neither address nor credentials. */
export class RelayTrouble extends Error {
  override readonly name = 'RelayTrouble'
}
