import { type FileHandle, lstat, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError, usageError } from '../cli-error.ts'
import { ExitCode } from '../exit-code.ts'

const BUFFERED = 65_536

/**
 * A file that is there once it is whole, and then in place of any that was there before: until then it is written beside
 * it under another name. For nobody else to read.
 */
export class WholeFile {
  readonly #path: string
  readonly #temporary: string
  readonly #handle: FileHandle
  #unwritten = ''

  private constructor(path: string, temporary: string, handle: FileHandle) {
    this.#path = path
    this.#temporary = temporary
    this.#handle = handle
  }

  /** @throws {CliError} it cannot be made, or there is something of this name that is no plain file */
  static async begin(path: string): Promise<WholeFile> {
    try {
      const target = await plainFileAt(path)
      const temporary = `${target}.${process.pid}.part`
      return new WholeFile(target, temporary, await open(temporary, 'wx', 0o600))
    } catch (error) {
      throw error instanceof CliError
        ? error
        : usageError(`Cannot write '${path}'. ${whyUnwritable(error)}`, { cause: error })
    }
  }

  /** @throws {CliError} the disk is full, or broken */
  async write(text: string): Promise<void> {
    this.#unwritten += text
    if (this.#unwritten.length >= BUFFERED) await this.#told(() => this.#flush())
  }

  /**
   * Once this resolves it is there, on durable storage.
   * @throws {CliError} the disk is full, or broken; then it is discarded
   */
  async finish(): Promise<void> {
    try {
      await this.#told(async () => {
        await this.#flush()
        await this.#handle.sync()
        await this.#handle.close()
        await rename(this.#temporary, this.#path)
        await syncFolder(dirname(this.#path))
      })
    } catch (error) {
      await this.discard()
      throw error
    }
  }

  /** What was there before stays. */
  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.#temporary, { force: true })
  }

  async #flush(): Promise<void> {
    const text = this.#unwritten
    this.#unwritten = ''
    await this.#handle.appendFile(text)
  }

  async #told(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const message = `Cannot write '${this.#path}'. ${whyUnwritable(error)}`
      throw new CliError(message, { name: 'FileNotWritable', exitCode: ExitCode.unusable, cause: error })
    }
  }
}

/** Where the file really is or will be. A device must not be replaced by a file. */
const plainFileAt = async (path: string): Promise<string> => {
  const found = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return path
  if (found.isSymbolicLink()) return await plainFileAt(await realpath(path))
  if (found.isFile()) return path
  throw usageError(`'${path}' is no plain file. Give the name of a file; a pipe takes the standard output.`)
}

/** A new name is on durable storage once its folder is. */
const syncFolder = async (path: string): Promise<void> => {
  // Windows opens no folders, and needs none of this.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  EACCES: 'You may not write there.',
  EDQUOT: 'You have no space left on this disk.',
  ENOENT: 'There is no such folder.',
  ENOSPC: 'No space is left on this disk.',
  ENOTDIR: 'A part of its path is no folder.',
  EPERM: 'You may not write there.',
  EROFS: 'This disk can only be read.',
}

const whyUnwritable = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}
