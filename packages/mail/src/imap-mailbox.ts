import type { MailboxRound, ReportMailbox } from '@rollcall/core'
import type { ImapFlow } from 'imapflow'

export interface ImapMailboxOptions {
  /** Such as `imaps://user:password@imap.example.com/Bounces`; without a folder, the inbox. */
  readonly url: string
  /** A certificate that is believed in place of those of the system, and the name that is in it. */
  readonly ca?: string | undefined
  readonly servername?: string | undefined
}

/** The step that failed. */
export type MailboxStep = 'connection' | 'encryption' | 'login' | 'folder'

/** The mailbox cannot be read at this moment; `message` holds no password. */
export class MailboxTrouble extends Error {
  override readonly name = 'MailboxTrouble'
  readonly step: MailboxStep

  constructor(message: string, step: MailboxStep) {
    super(message)
    this.step = step
  }
}

/** The folder for what was taken. */
const TAKEN = 'Rollcall'
/** Reports have a copy of the mail in them, but no more; a longer message is none. */
const LONGEST = 1024 * 1024
const MOST_OF_ROUND = 200
/** In how many rounds the server is asked for a message that it does not give. */
const MOST_ROUNDS = 60
/** Characters of what a server says, for the log. */
const LONGEST_REASON = 200
/** Of an answer, in bytes: a server may send whole what it was asked the beginning of, or without end. */
const AT_MOST = { maxLineLength: 16 * LONGEST, maxLiteralSize: 64 * LONGEST, maxResponseSize: 96 * LONGEST }

/** A mailbox over IMAP. It keeps no connection between two rounds, which throw `MailboxTrouble`. */
export const createImapMailbox = (options: ImapMailboxOptions): ReportMailbox => {
  let open: ImapFlow | undefined
  // Of which numbering, and the last message that was seen.
  let seen = { validity: 0n, uid: 0 }
  /** What was taken and could not be put away. */
  let stuck = new Set<number>()
  /** What the server did not give, and in how many rounds. */
  let refused = new Map<number, number>()

  const round = async (client: ImapFlow, take: (message: Uint8Array) => Promise<boolean>): Promise<MailboxRound> => {
    const { mailbox } = client
    if (mailbox === false || mailbox.exists === 0) return { taken: 0, left: 0, more: false }
    if (mailbox.uidValidity !== seen.validity) {
      seen = { validity: mailbox.uidValidity, uid: 0 }
      stuck = new Set()
      refused = new Map()
    }
    let trouble: unknown
    let [taken, left] = [0, 0]
    const store = async (uid: number): Promise<void> => {
      const stays = await putAway(client, uid)
      trouble ??= stays
      stuck.delete(uid)
      // Behind the others, whose turn is next.
      if (stays !== undefined) stuck.add(uid)
    }
    const lookAt = async (uid: number): Promise<void> => {
      const found = await sourceOf(client, uid)
      // Another instance has taken it meanwhile.
      if (found === undefined) return void refused.delete(uid)
      const { source, refusal } = found
      const isTaken = source !== undefined && source.length <= LONGEST && (await take(source))
      const rounds = (refused.get(uid) ?? 0) + 1
      refused.delete(uid)
      if (isTaken) {
        await store(uid)
        taken++
      } else if (refusal !== undefined && rounds < MOST_ROUNDS) {
        trouble ??= refusal
        refused.set(uid, rounds)
      } else left++
    }
    for (const uid of [...stuck].slice(0, MOST_OF_ROUND)) await store(uid)
    const again = [...refused.keys()]
    const found = (await client.search({ uid: `${seen.uid + 1}:*` }, { uid: true })) || []
    // The last one is always among them.
    const uids = found.filter((uid) => uid > seen.uid).sort((one, other) => one - other)
    for (const uid of uids.slice(0, MOST_OF_ROUND)) {
      await lookAt(uid)
      seen = { ...seen, uid }
    }
    const isLast = uids.length <= MOST_OF_ROUND
    // Behind all others, which one that is never given must not hold up.
    if (isLast) for (const uid of again.slice(0, MOST_OF_ROUND)) await lookAt(uid)
    // What is new goes first: it is told once there is nothing else.
    if (trouble !== undefined && taken === 0) throw trouble
    return { taken, left, more: !isLast || (taken > 0 && again.length > MOST_OF_ROUND) }
  }

  return {
    read: async (take) => {
      let ofTaking: { readonly error: unknown } | undefined
      const passOn = async (message: Uint8Array): Promise<boolean> => {
        try {
          return await take(message)
        } catch (error) {
          ofTaking = { error }
          throw error
        }
      }
      const onOpen = (client: ImapFlow): void => {
        open = client
      }
      try {
        return await inFolder(options, (client) => round(client, passOn), { onOpen })
      } catch (error) {
        throw ofTaking === undefined ? error : ofTaking.error
      } finally {
        open = undefined
      }
    },
    close: () => open?.close(),
  }
}

/**
 * Logs in and opens the folder as for a round, takes nothing, and hangs up.
 * @throws {MailboxTrouble} one of these steps fails
 */
export const inspectImapMailbox = async (options: ImapMailboxOptions) =>
  await inFolder(
    options,
    async ({ mailbox }) => ({ ...placeOf(options.url), messages: mailbox === false ? 0 : mailbox.exists }),
    { readOnly: true },
  )

const placeOf = (url: string): { readonly host: string; readonly folder: string } => {
  const { hostname, pathname } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), folder: decodeURIComponent(pathname.slice(1)) || 'INBOX' }
}

/** @throws {MailboxTrouble} whatever failed */
const inFolder = async <Result>(
  { url, ca, servername }: ImapMailboxOptions,
  use: (client: ImapFlow) => Promise<Result>,
  { readOnly = false, onOpen }: { readonly readOnly?: boolean; readonly onOpen?: (client: ImapFlow) => void },
): Promise<Result> => {
  const { ImapFlow: Client } = await import('imapflow')
  const { port, username, password } = new URL(url)
  const { host, folder } = placeOf(url)
  const client = new Client({
    host,
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
  onOpen?.(client)
  let isLoggedIn = false
  try {
    await client.connect()
    isLoggedIn = true
    const lock = await client.getMailboxLock(folder, { readOnly })
    try {
      return await use(client)
    } finally {
      lock.release()
    }
  } catch (error) {
    throw troubleOf(failure ?? error, host, isLoggedIn)
  } finally {
    await client.logout().catch(() => client.close())
  }
}

/** Into the folder for what was taken, which is made if there is none. What is wrong if it stays where it is. */
const putAway = async (client: ImapFlow, uid: number): Promise<unknown> => {
  const move = () => client.messageMove(String(uid), TAKEN, { uid: true })
  if (await move()) return undefined
  const stays = new Error(`what was taken stays there, as it cannot be moved into its folder '${TAKEN}'`)
  try {
    await client.mailboxCreate(TAKEN)
  } catch (error) {
    if (!client.usable) return error
    // It may be there already: servers differ in how they say so.
    const { responseText } = error as { readonly responseText?: string }
    return new Error(`${stays.message}${responseText === undefined ? '' : ` (${responseText})`}`)
  }
  return (await move()) ? undefined : stays
}

/** Undefined if it is gone; a refusal if the server does not give it this time. */
const sourceOf = async (
  client: ImapFlow,
  uid: number,
): Promise<{ readonly source?: Buffer | undefined; readonly refusal?: unknown } | undefined> => {
  try {
    const message = await client.fetchOne(String(uid), { source: { maxLength: LONGEST + 1 } }, { uid: true })
    return message === false ? undefined : { source: message.source }
  } catch (refusal) {
    if (client.usable) return { refusal }
    throw refusal
  }
}

/** Of a certificate that is not trusted, or of a server that does not speak TLS from the start. */
const OF_TLS = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|SSL|TLS|EPROTO/

const troubleOf = (error: unknown, host: string, isLoggedIn: boolean): MailboxTrouble => {
  const { responseText, code, message, authenticationFailed } = error as Readonly<Record<string, unknown>>
  const why = [responseText, code, message].find((one) => typeof one === 'string' && one !== '')
  const said = String(why ?? 'the reason is not known').slice(0, LONGEST_REASON)
  const before = authenticationFailed === true ? 'login' : OF_TLS.test(String(code)) ? 'encryption' : 'connection'
  return new MailboxTrouble(`The mailbox at ${host} cannot be read: ${said}.`, isLoggedIn ? 'folder' : before)
}
