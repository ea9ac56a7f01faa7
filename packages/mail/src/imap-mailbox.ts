import type { MailboxRound, ReportMailbox } from '@rollcall/core'
import type { ImapFlow } from 'imapflow'

export interface ImapMailboxOptions {
  /** Such as `imaps://user:password@imap.example.com/Bounces`; without a folder, the inbox. */
  readonly url: string
  /** A certificate that is believed in place of those of the system, and the name that is in it. */
  readonly ca?: string | undefined
  readonly servername?: string | undefined
}

/** The mailbox cannot be read at this moment; `message` holds no password. */
export class MailboxTrouble extends Error {
  override readonly name = 'MailboxTrouble'
}

/** The folder for what was taken. */
const TAKEN = 'Rollcall'
/** Reports have a copy of the mail in them, but no more; a longer message is none. */
const LONGEST = 1024 * 1024
const MOST_OF_ROUND = 200
/** Characters of what a server says, for the log. */
const LONGEST_REASON = 200
/** Of an answer, in bytes: a server may send whole what it was asked the beginning of, or without end. */
const AT_MOST = { maxLineLength: 16 * LONGEST, maxLiteralSize: 64 * LONGEST, maxResponseSize: 96 * LONGEST }

/** A mailbox over IMAP. It keeps no connection between two rounds. */
export const createImapMailbox = ({ url, ca, servername }: ImapMailboxOptions): ReportMailbox => {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = decodeURIComponent(pathname.slice(1)) || 'INBOX'
  let open: ImapFlow | undefined
  // Of which numbering, and the last message that was seen.
  let seen = { validity: 0n, uid: 0 }
  let hasFolder = false

  const round = async (client: ImapFlow, take: (message: Uint8Array) => Promise<boolean>): Promise<MailboxRound> => {
    const { mailbox } = client
    if (mailbox === false || mailbox.exists === 0) return { taken: 0, left: 0, more: false }
    if (mailbox.uidValidity !== seen.validity) seen = { validity: mailbox.uidValidity, uid: 0 }
    const found = (await client.search({ uid: `${seen.uid + 1}:*` }, { uid: true })) || []
    // The last one is always among them.
    const uids = found.filter((uid) => uid > seen.uid).sort((one, other) => one - other)
    let taken = 0
    for (const uid of uids.slice(0, MOST_OF_ROUND)) {
      const source = await sourceOf(client, uid)
      if (source !== undefined && source.length <= LONGEST && (await take(source))) {
        if (!hasFolder) await client.mailboxCreate(TAKEN)
        hasFolder = true
        await client.messageMove(String(uid), TAKEN, { uid: true })
        taken++
      }
      seen = { ...seen, uid }
    }
    const looked = Math.min(uids.length, MOST_OF_ROUND)
    return { taken, left: looked - taken, more: uids.length > looked }
  }

  return {
    read: async (take) => {
      const { ImapFlow: Client } = await import('imapflow')
      const client = new Client({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port) || 993,
        secure: true,
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
        logger: false,
        disableAutoIdle: true,
        connectionTimeout: 30_000,
        socketTimeout: 60_000,
        ...AT_MOST,
        ...(ca !== undefined && { tls: { ca }, servername }),
      })
      let failure: unknown
      // What happens beside a command would end the process.
      client.on('error', (error: unknown) => {
        failure ??= error
      })
      open = client
      let isTaking = false
      try {
        await client.connect()
        const lock = await client.getMailboxLock(folder)
        try {
          return await round(client, async (message) => {
            isTaking = true
            const isTaken = await take(message)
            isTaking = false
            return isTaken
          })
        } finally {
          lock.release()
        }
      } catch (error) {
        if (isTaking) throw error
        throw troubleOf(failure ?? error, hostname)
      } finally {
        open = undefined
        await client.logout().catch(() => client.close())
      }
    },
    close: () => open?.close(),
  }
}

/** Undefined if it is gone, or if the server does not give it: one such message must not be in the way of the others. */
const sourceOf = async (client: ImapFlow, uid: number): Promise<Buffer | undefined> => {
  try {
    const message = await client.fetchOne(String(uid), { source: { maxLength: LONGEST + 1 } }, { uid: true })
    return message === false ? undefined : message.source
  } catch (error) {
    if (client.usable) return undefined
    throw error
  }
}

const troubleOf = (error: unknown, hostname: string): MailboxTrouble => {
  const { responseText, code, message } = error as { responseText?: unknown; code?: unknown; message?: unknown }
  const why = [responseText, code, message].find((one) => typeof one === 'string' && one !== '')
  const said = String(why ?? 'the reason is not known').slice(0, LONGEST_REASON)
  return new MailboxTrouble(`The mailbox at ${hostname} cannot be read: ${said}.`)
}
