import { isIP } from 'node:net'
import { parseEmailAddress } from '@rollcall/core'
import { nodeDomainNames, OperatorError, type OperatorErrorOptions } from '@rollcall/platform-node'

/** The options of this package that an error can be about. */
export type MailSetting = 'from' | 'publicUrl' | 'url'

/** Mail cannot be sent as it is set up; `message` says what to correct, and holds no credentials. */
export class MailSettingsNotUsable extends OperatorError {
  override readonly name = 'MailSettingsNotUsable'
  declare readonly setting: MailSetting | undefined

  constructor(message: string, options?: OperatorErrorOptions & { readonly setting?: MailSetting | undefined }) {
    super(message, options)
  }
}

/** Where mails come from, as their headers and texts say it. */
export interface MailOrigin {
  readonly sender: Sender
  /** As people know the service, with its port if that is unusual. */
  readonly host: string
  /** The right side of message and list ids: a name, never an IP address. */
  readonly domain: string
}

/** @throws {MailSettingsNotUsable} */
export const mailOrigin = (from: string, publicUrl: string): MailOrigin => {
  const sender = parseSender(from)
  const url = URL.parse(publicUrl)
  if (!url)
    throw new MailSettingsNotUsable(`${JSON.stringify(publicUrl)} cannot be the base URL of links in mails.`, {
      setting: 'publicUrl',
    })
  const isName = url.hostname !== '' && !url.hostname.startsWith('[') && isIP(url.hostname) === 0
  const domain = isName ? url.hostname : sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return { sender, host: url.host, domain }
}

export interface Sender {
  /** Empty for an address alone. */
  readonly name: string
  /** Domain as A-labels. */
  readonly address: string
}

const LONGEST = 500
const QUOTED = /^"((?:[^"\\]|\\.)*)"\s*<([^<>]+)>$/
const PLAIN = /^([^"<>@]*)<([^<>]+)>$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/**
 * Reads a sender: `Name <name@example.com>`, `"Name, with signs" <name@example.com>` or a bare address.
 * @throws {MailSettingsNotUsable}
 */
export const parseSender = (from: string): Sender => {
  const text = from.trim()
  if (CONTROL.test(text) || !text.isWellFormed() || text.length > LONGEST) throw notASender(from)
  const quoted = QUOTED.exec(text)
  if (quoted) return sender((quoted[1] ?? '').replace(/\\(.)/g, '$1'), quoted[2] ?? '', from)
  const plain = PLAIN.exec(text)
  return plain ? sender(plain[1] ?? '', plain[2] ?? '', from) : sender('', text, from)
}

const sender = (name: string, address: string, from: string): Sender => {
  try {
    const { value } = parseEmailAddress(address, nodeDomainNames)
    return { name: name.trim(), address: value }
  } catch (error) {
    throw notASender(from, error)
  }
}

const notASender = (from: string, cause?: unknown): MailSettingsNotUsable =>
  new MailSettingsNotUsable(
    `${JSON.stringify(from.slice(0, LONGEST))} is not a sender of mails. Use a name and an address such as: Rollcall <no-reply@example.com>`,
    { setting: 'from', cause },
  )
