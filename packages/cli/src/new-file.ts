import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ownPlaceSync, syncFolder, unlessMissing } from '@rollcall/platform-node'
import { CliError, ExitCode, usageError } from './cli-error.ts'

const BUFFERED = 65_536

/** A new file that only its owner can read, written in pieces of any size. */
export class NewFile {
  readonly #path: string
  readonly #name: string
  readonly #handle: FileHandle
  #unwritten = ''

  private constructor(path: string, name: string, handle: FileHandle) {
    this.#path = path
    this.#name = name
    this.#handle = handle
  }

  /**
   * A link of its name, or one of another user on the way to it, is not followed.
   * @param name what messages call it, if that is not its path
   * @throws {CliError} it is there already, or cannot be made
   */
  static async create(path: string, name = path): Promise<NewFile> {
    if (name === path) await requireAbsent(path)
    try {
      const place = ownPlaceSync(path)
      return new NewFile(place, name, await open(place, 'wx', 0o600))
    } catch (error) {
      throw cannotWrite(name, error)
    }
  }

  /** @throws {CliError} the disk is full, or broken */
  async write(text: string): Promise<void> {
    this.#unwritten += text
    if (this.#unwritten.length >= BUFFERED) await this.#flush()
  }

  /** Everything is on durable storage once this resolves. */
  async finish(): Promise<void> {
    try {
      await this.#flush()
      await this.#attempt(() => this.#handle.sync())
    } finally {
      await this.#handle.close()
    }
  }

  /** Removes it. */
  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.#path, { force: true })
  }

  /** The same; then it takes this name, in place of any file that had it. */
  async finishAs(path: string): Promise<void> {
    await this.finish()
    await this.#attempt(async () => {
      await rename(this.#path, path)
      await syncFolder(dirname(path))
    })
  }

  /** @throws {CliError} the work failed: the file could not be written */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw cannotWrite(this.#name, error)
    }
  }

  async #flush(): Promise<void> {
    const text = this.#unwritten
    this.#unwritten = ''
    await this.#attempt(() => this.#handle.appendFile(text))
  }
}

/** Why a file could not be made or written. */
export const cannotWrite = (path: string, error: unknown): CliError => {
  if (error instanceof CliError) return error
  const message = `Cannot write '${path}'. ${whyUnwritable(error)}`
  return new CliError(message, { name: 'FileNotWritable', exitCode: ExitCode.unusable, cause: error })
}

/**
 * A list that was mistaken for a place to write would be gone.
 * @throws {CliError} there is something of this name
 */
export const requireAbsent = async (path: string): Promise<void> => {
  const found = await unlessMissing(lstat(path)).catch((error: unknown) => {
    throw cannotWrite(path, error)
  })
  if (found !== undefined) throw alreadyThere(path)
}

export const alreadyThere = (path: string, remedy = 'Give another name, or remove it.'): CliError =>
  usageError(`There is a '${path}' already. ${remedy}`)

const UNWRITABLE: Readonly<Record<string, string | undefined>> = {
  EACCES: 'You may not write there.',
  EDQUOT: 'You have no space left on this disk.',
  EISDIR: 'It is a folder.',
  ELOOP: 'It is a link that leads to itself.',
  ENAMETOOLONG: 'Its name is too long.',
  ENOENT: 'There is no such folder.',
  ENOSPC: 'No space is left on this disk.',
  ENOTDIR: 'A part of its path is not a folder.',
  EPERM: 'You may not write there.',
  EROFS: 'This disk can only be read.',
}

/** Why a file or a stream could not be written, for a person. */
export const whyUnwritable = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return UNWRITABLE[code] ?? (error instanceof Error ? error.message : String(error))
}
