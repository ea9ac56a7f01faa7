import path from 'node:path'
import { OperatorError } from '@rollcall/platform-node'
import { MailFolder } from './mail-folder.ts'
import { type ParsedMail, parseMail } from './parse-mail.ts'

/** A mail that is a file, decoded. */
export interface WrittenMail extends ParsedMail {
  /** What the file is called, without its ending. */
  readonly id: string
  readonly file: string
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
}

/** A file has the name of a mail, and is something else; `message` says what to do. */
export class NotAMail extends OperatorError {
  override readonly name = 'NotAMail'
}

/** The folder, or the file of a mail, cannot be read; `message` says why. */
export class MailNotReadable extends OperatorError {
  override readonly name = 'MailNotReadable'
}

/** No mail of this service comes near it. */
const LARGEST = 16 * 1024 * 1024

const MAIL_FILE = /^([0-9a-z]{1,11}\.[A-Za-z0-9_-]+)\.eml$/

/** The mails that a file transport wrote to a folder. Changes nothing there. */
export class WrittenMails {
  readonly #path: string
  readonly #folder: MailFolder

  constructor(folder: string) {
    this.#path = path.resolve(folder)
    this.#folder = new MailFolder(folder)
  }

  get folder(): string {
    return this.#path
  }

  /**
   * The ids of all that have the name of a mail, oldest first.
   * @throws {MailNotReadable}
   */
  async ids(): Promise<readonly string[]> {
    const found: { readonly id: string; readonly at: number }[] = []
    try {
      for await (const name of this.#folder.names({ withLinks: true })) {
        const id = MAIL_FILE.exec(name)?.[1]
        const at = id === undefined ? undefined : (await this.#folder.look(name))?.writtenAt
        if (id !== undefined && at !== undefined) found.push({ id, at })
      }
    } catch (error) {
      throw notReadable('The mail folder', this.#path, error)
    }
    return found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
  }

  /**
   * The mail of this id, which may have the file's ending; undefined if it is not, or no longer, there.
   * @throws {NotAMail} the file is not a mail as this package writes them
   * @throws {MailNotReadable}
   */
  async find(id: string): Promise<WrittenMail | undefined> {
    const name = `${id.replace(/\.eml$/, '')}.eml`
    const known = MAIL_FILE.exec(name)?.[1]
    if (known === undefined) return undefined
    const file = path.join(this.#path, name)
    const found = await this.#read(name).catch((error: unknown) => {
      throw notReadable('The file', file, error)
    })
    if (found === undefined) return undefined
    const parsed = await parseMail(found.source)
    if (parsed === undefined)
      throw new NotAMail(`${file} is not a mail that this service wrote. Move it out of the folder.`)
    return { id: known, file, at: found.at, ...parsed }
  }

  async #read(name: string): Promise<{ readonly at: number; readonly source: string } | undefined> {
    const seen = await this.#folder.look(name)
    // Of a pipe, say, the read would never end; and a link leads to what may be anything.
    if (seen === undefined || seen.kind === 'other') return undefined
    const { kind, writtenAt: at, bytes } = seen
    const source = kind === 'plain' && bytes <= LARGEST ? await this.#folder.read(name) : ''
    return source === undefined ? undefined : { at, source }
  }
}

const notReadable = (what: string, place: string, cause: unknown): unknown => {
  if (!(cause instanceof Error && 'code' in cause)) return cause
  return new MailNotReadable(
    `${what} ${place} cannot be read (${cause.code}). Fix what is there, or its permissions.`,
    {
      cause,
    },
  )
}
