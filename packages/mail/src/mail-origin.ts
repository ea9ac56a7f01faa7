import { isIP } from 'node:net'
import { MailSettingsNotUsable } from './mail-settings-not-usable.ts'
import { parseSender, type Sender } from './sender.ts'

/** Where mails come from, as their headers and texts say it. */
export interface MailOrigin {
  readonly sender: Sender
  /** As people know the service, with its port where that is unusual. */
  readonly host: string
  /** The right side of message and list ids: a name, never an IP address. */
  readonly domain: string
}

/** @throws {MailSettingsNotUsable} */
export const mailOrigin = (from: string, publicUrl: string): MailOrigin => {
  const sender = parseSender(from)
  const url = URL.parse(publicUrl)
  if (!url)
    throw new MailSettingsNotUsable(`${JSON.stringify(publicUrl)} is no address that links in mails can begin with.`, {
      setting: 'publicUrl',
    })
  const isName = url.hostname !== '' && !url.hostname.startsWith('[') && isIP(url.hostname) === 0
  const domain = isName ? url.hostname : sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return { sender, host: url.host, domain }
}
