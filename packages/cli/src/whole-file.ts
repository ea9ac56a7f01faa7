import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { draftOf, hasErrorCode, ownPlaceSync, sweepDrafts, syncFolder, unlessMissing } from '@rollcall/platform-node'
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
  readonly #replaces: boolean
  #unwritten = ''
  #failure: CliError | undefined

  private constructor(name: string, path: string, draft: string, handle: FileHandle, replaces: boolean) {
    this.#name = name
    this.#path = path
    this.#draft = draft
    this.#handle = handle
    this.#replaces = replaces
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
      return new WholeFile(name, path, draft, await open(draft, 'wx', 0o600), replace === true)
    } catch (error) {
      throw cannotWrite(name, error)
    }
  }

  /** @throws {CliError} the disk is full, or broken; then it is never whole */
  async write(text: string): Promise<void> {
    this.#unwritten += text
    if (this.#unwritten.length >= BUFFERED) await this.#flush()
  }

  /**
   * Once this resolves it is there, on durable storage.
   * @param keepsDraft whether what there is of it stays if it cannot be whole, because it is told nowhere else
   * @throws {CliError} the disk is full, or broken, or a file of this name was made meanwhile
   */
  async finish({ keepsDraft = false } = {}): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure
      await this.#flush()
      await this.#handle.sync()
      await this.#handle.close()
      await this.#takeName()
      await syncFolder(dirname(this.#path))
    } catch (error) {
      if (!keepsDraft) {
        await this.discard()
        throw cannotWrite(this.#name, error)
      }
      await this.#handle.close()
      throw cannotWrite(this.#name, error, ` What there is of it is in '${this.#draft}'.`)
    }
  }

  /** What was there before stays. */
  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.#draft, { force: true })
  }

  async #takeName(): Promise<void> {
    if (this.#replaces) return await rename(this.#draft, this.#path)
    try {
      await link(this.#draft, this.#path)
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) throw alreadyThere(this.#name)
      // A file system without links.
      return await rename(this.#draft, this.#path)
    }
    await rm(this.#draft)
  }

  async #flush(): Promise<void> {
    try {
      await this.#handle.appendFile(this.#unwritten)
      this.#unwritten = ''
    } catch (error) {
      this.#failure = cannotWrite(this.#name, error)
      throw this.#failure
    }
  }
}

/** The real path of the file. A device is not replaced, nor a file unless that is asked for: it may be a list of users. */
const placeOf = async (name: string, replace: boolean | undefined): Promise<string> => {
  const place = ownPlaceSync(name)
  const found = await unlessMissing(lstat(place))
  if (found === undefined) return place
  if (!found.isFile())
    throw usageError(`'${name}' is not a regular file. Give the name of a file; for a pipe, use standard output.`)
  if (replace) return place
  throw replace === undefined
    ? alreadyThere(name)
    : alreadyThere(name, 'Give another name, remove it, or add --replace.')
}

/** @throws {CliError} there is something of this name */
export const requireAbsent = async (name: string): Promise<void> => {
  await placeOf(name, undefined).catch((error: unknown) => {
    throw cannotWrite(name, error)
  })
}

const alreadyThere = (name: string, remedy = 'Give another name, or remove it.'): CliError =>
  usageError(`There is a '${name}' already. ${remedy}`)

const cannotWrite = (name: string, error: unknown, more = ''): CliError => {
  if (error instanceof CliError && more === '') return error
  const message = error instanceof CliError ? error.message : `Cannot write '${name}'. ${whyUnwritable(error)}`
  const { name: kind, exitCode } = error instanceof CliError ? error : NOT_WRITABLE
  return new CliError(`${message}${more}`, { name: kind, exitCode, cause: error })
}

export const NOT_WRITABLE = { name: 'FileNotWritable', exitCode: ExitCode.unusable } as const

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
