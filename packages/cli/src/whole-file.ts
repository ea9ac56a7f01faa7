import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { draftOf, ownPlaceSync, sweepDrafts, syncFolder, unlessMissing } from '@rollcall/platform-node'
import { CliError, ExitCode, usageError } from './cli-error.ts'

const BUFFERED = 65_536

/**
 * A file that is there once it is whole: until then it is written beside it under another name, in pieces of any size.
 * Only its owner can read it.
 */
export class WholeFile {
  /** As the command names it. */
  readonly #name: string
  readonly #path: string
  readonly #draft: string
  readonly #handle: FileHandle
  #unwritten = ''

  private constructor(name: string, path: string, draft: string, handle: FileHandle) {
    this.#name = name
    this.#path = path
    this.#draft = draft
    this.#handle = handle
  }

  /**
   * What commands left that were killed while they wrote it goes. A link of its name, or one of another user on the way to
   * it, is not followed.
   * @param replace whether it may take the place of a file that is there; undefined if the command has no `--replace`
   * @throws {CliError} there is one, it cannot be made, is behind a link of another user, or is no regular file
   */
  static async begin(name: string, replace?: boolean): Promise<WholeFile> {
    try {
      const path = await placeOf(name, replace)
      sweepDrafts(path)
      const draft = draftOf(path)
      return new WholeFile(name, path, draft, await open(draft, 'wx', 0o600))
    } catch (error) {
      throw cannotWrite(name, error)
    }
  }

  /** @throws {CliError} the disk is full, or broken */
  async write(text: string): Promise<void> {
    this.#unwritten += text
    if (this.#unwritten.length >= BUFFERED) await this.#flush()
  }

  /**
   * Once this resolves it is there, on durable storage.
   * @throws {CliError} the disk is full, or broken; then it is discarded
   */
  async finish(): Promise<void> {
    try {
      await this.#flush()
      await this.#handle.sync()
      await this.#handle.close()
      await rename(this.#draft, this.#path)
      await syncFolder(dirname(this.#path))
    } catch (error) {
      await this.discard()
      throw cannotWrite(this.#name, error)
    }
  }

  /** What was there before stays. */
  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.#draft, { force: true })
  }

  async #flush(): Promise<void> {
    const text = this.#unwritten
    this.#unwritten = ''
    try {
      await this.#handle.appendFile(text)
    } catch (error) {
      throw cannotWrite(this.#name, error)
    }
  }
}

/** Where the file really is or will be. A device must not be replaced by a file. */
const placeOf = async (name: string, replace: boolean | undefined): Promise<string> => {
  const place = ownPlaceSync(name)
  const found = await unlessMissing(lstat(place))
  if (found === undefined) return place
  if (replace === undefined) throw alreadyThere(name)
  if (!found.isFile())
    throw usageError(`'${name}' is not a regular file. Give the name of a file; for a pipe, use standard output.`)
  if (replace) return place
  throw alreadyThere(name, 'Give another name, remove it, or add --replace.')
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
