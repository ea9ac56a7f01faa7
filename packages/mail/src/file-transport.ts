import {
  asSubscriptionId,
  DAY,
  type Mail,
  type MailTransport,
  MailWithdrawn,
  type ShownMail,
  type SubscriptionId,
} from '@rollcall/core'
import { MailFolder } from './mail-folder.ts'
import { mailOrigin } from './mail-settings.ts'
import { MailTemplates } from './mail-templates.ts'
import { shownMail } from './shown-mail.ts'

export interface FileTransportOptions {
  /** Made on the first mail, for this user alone. */
  readonly folder: string
  /** Who mails come from: `Name <name@example.com>` */
  readonly from: string
  /** What links begin with; its host is named in mails and their ids. */
  readonly publicUrl: string
  /** Files here replace the built-in templates of the same name, one by one. */
  readonly templatesDir?: string | undefined
  /** Called with every file once it is on disk. */
  readonly onWritten?: ((file: string) => void) | undefined
}

type IsKnown = (subscriptionId: SubscriptionId) => Promise<boolean>

export interface FileTransport extends MailTransport {
  show(mail: Mail): Promise<ShownMail>
  /** Removes these mails, also those that are being written at that moment; does nothing for unknown ids. */
  forget(messageIds: readonly string[]): Promise<void>
  /**
   * Removes the mails of subscriptions that are not known, previews that are older than a day, and what a crash left half
   * written; whatever else is in the folder stays. Takes the same memory for any number of files. How many it removed.
   */
  sweep(isKnown: IsKnown): Promise<number>
  /** Whether there are mails, and whether one of them is of a subscription that is known. */
  ownership(isKnown: IsKnown): Promise<'empty' | 'known' | 'unknown'>
  /** Whose mails these are, as it was last claimed. */
  owner(): Promise<string | undefined>
  /** Writes down, durably and beside the mails, whose they are. */
  claim(owner: string): Promise<void>
}

/** As many as Node does file work at once. */
const CONCURRENCY = 4
const SUFFIX = '.eml'
const OWNER = '.database'
const PLAIN_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/
const MAIL_FILE = /^([0-9a-z]{1,11})\.[^.]+\.eml$/
const PREVIEW_FILE = /^0\.[0-9a-f]{24}\.eml$/
const SWEPT_AT_ONCE = 100

/**
 * Keeps mails as files, for a service without a relay.
 * @throws {MailSettingsNotUsable} sender or templates are not usable as given
 */
export const createFileTransport = (options: FileTransportOptions): FileTransport => {
  const origin = mailOrigin(options.from, options.publicUrl)
  const templates = new MailTemplates(options.templatesDir)
  const folder = new MailFolder(options.folder)
  const underWay = new Map<string, Promise<void>>()
  const write = async (name: string, mail: Mail): Promise<void> => {
    // With the first mail: most command lines write none, and loading nodemailer takes longer than all the rest.
    const { composeMail } = await import('./compose-mail.ts')
    const { bytes, envelope } = composeMail(mail, origin, templates)
    // As a server writes it that keeps a mail (RFC 5321 section 4.4).
    const returnPath = mail.returnTo === undefined ? '' : `Return-Path: <${envelope.from}>\r\n`
    const file = await folder.write(name, Buffer.concat([Buffer.from(returnPath), bytes]))
    options.onWritten?.(file)
  }
  return {
    domain: origin.domain,
    keepsMails: true,
    concurrency: CONCURRENCY,
    send: async (mail, isDue = async () => true) => {
      const name = fileName(mail.messageId)
      const writing = isDue().then((due) => {
        if (!due) throw new MailWithdrawn()
        return write(name, mail)
      })
      underWay.set(name, writing)
      try {
        await writing
      } finally {
        if (underWay.get(name) === writing) underWay.delete(name)
      }
    },
    show: async (mail) => await shownMail(mail, origin, templates),
    // What is being written would be there a moment after it was forgotten.
    forget: async (messageIds) => {
      const names = messageIds.map(fileName)
      await Promise.allSettled(names.map((name) => underWay.get(name)))
      await folder.remove(names)
    },
    sweep: (isKnown) => sweep(folder, isKnown),
    ownership: (isKnown) => ownership(folder, isKnown),
    owner: async () => (await folder.read(OWNER))?.trim(),
    claim: async (owner) => void (await folder.write(OWNER, Buffer.from(`${owner}\n`))),
    close: async () => {},
  }
}

// By the left side of the id: the other is the same for all, and may be longer than a file's name.
const fileName = (messageId: string): string => {
  const [name = ''] = messageId.split('@', 1)
  if (PLAIN_NAME.test(name)) return `${name}${SUFFIX}`
  throw new TypeError('a message id that is not a plain name cannot be the name of a file')
}

const sweep = async (folder: MailFolder, isKnown: IsKnown): Promise<number> => {
  let swept = 0
  let found: string[] = []
  for await (const name of folder.names()) {
    if (!(folder.isLeftoverDraft(name) || (await isOver(folder, name, isKnown)))) continue
    found.push(name)
    if (found.length === SWEPT_AT_ONCE) {
      swept += await folder.remove(found)
      found = []
    }
  }
  return swept + (await folder.remove(found))
}

/** Whether it is a mail whose subscription is gone, or an old preview, of which no erasure knows. */
const isOver = async (folder: MailFolder, name: string, isKnown: IsKnown): Promise<boolean> => {
  if (PREVIEW_FILE.test(name)) return ((await folder.look(name))?.writtenAt ?? 0) < Date.now() - DAY
  const id = subscriptionOf(name)
  return id !== undefined && !(await isKnown(id))
}

const ownership = async (folder: MailFolder, isKnown: IsKnown) => {
  let found: 'empty' | 'unknown' = 'empty'
  for await (const name of folder.names()) {
    const id = subscriptionOf(name)
    if (id === undefined) continue
    if (await isKnown(id)) return 'known'
    found = 'unknown'
  }
  return found
}

/** Whose mail it is; undefined if the file is not a mail of this service. */
const subscriptionOf = (name: string): SubscriptionId | undefined => {
  const digits = MAIL_FILE.exec(name)?.[1]
  if (digits === undefined) return undefined
  const id = asSubscriptionId(String(Number.parseInt(digits, 36)))
  return id?.toString(36) === digits ? id : undefined
}
