import path from 'node:path'
import { MailFolder } from './mail-folder.ts'
import { MailSettingsNotUsable } from './mail-settings.ts'
import { type ParsedMail, parseMail } from './parse-mail.ts'

/** A mail that is a file, decoded. */
export interface WrittenMail extends ParsedMail {
  /** What the file is called, without its ending. */
  readonly id: string
  readonly file: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
}

const MAIL_FILE = /^([0-9a-z]{1,11}\.[A-Za-z0-9_-]+)\.eml$/

/** The mails that a file transport wrote to a folder. Changes nothing there. */
export class WrittenMails {
  readonly #path: string
  readonly #folder: MailFolder

  constructor(folder: string) {
    this.#path = path.resolve(folder)
    this.#folder = new MailFolder(folder)
  }

  /** The ids of all, oldest first. */
  async ids(): Promise<readonly string[]> {
    const found: { readonly id: string; readonly at: number }[] = []
    for await (const name of this.#folder.names()) {
      const id = MAIL_FILE.exec(name)?.[1]
      const at = id === undefined ? undefined : await this.#folder.writtenAt(name)
      if (id !== undefined && at !== undefined) found.push({ id, at })
    }
    return found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
  }

  /**
   * The mail of this id, which may have the file's ending; undefined if it is not, or no longer, there.
   * @throws {MailSettingsNotUsable} the file is not a mail as this package writes them
   */
  async find(id: string): Promise<WrittenMail | undefined> {
    const name = `${id.replace(/\.eml$/, '')}.eml`
    const known = MAIL_FILE.exec(name)?.[1]
    if (known === undefined) return undefined
    const at = await this.#folder.writtenAt(name)
    // Of a pipe, say, the read would never end.
    const source = at === undefined ? undefined : await this.#folder.read(name)
    if (source === undefined || at === undefined) return undefined
    const file = path.join(this.#path, name)
    const parsed = parseMail(source)
    if (parsed === undefined)
      throw new MailSettingsNotUsable(`${file} is not a mail that this service wrote. Move it out of the folder.`)
    return { id: known, file, at, ...parsed }
  }
}
