import { type FileHandle, lstat, open, rm } from 'node:fs/promises'
import { CliError, usageError } from './cli-error.ts'
import { ExitCode } from './exit-code.ts'
import { fileTrouble } from './file-trouble.ts'

const BUFFERED = 65_536

/** A file that was not there before, for nobody else to read, written in pieces of any size. */
export class NewFile {
  readonly #path: string
  readonly #handle: FileHandle
  #unwritten = ''

  private constructor(path: string, handle: FileHandle) {
    this.#path = path
    this.#handle = handle
  }

  /** @throws {CliError} it is there already, or cannot be made */
  static async create(path: string): Promise<NewFile> {
    await requireAbsent(path)
    const handle = await open(path, 'wx', 0o600).catch((error: unknown) => {
      throw usageError(`Cannot write '${path}'. ${fileTrouble(error)}`, { cause: error })
    })
    return new NewFile(path, handle)
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
      await this.#told(() => this.#handle.sync())
    } finally {
      await this.#handle.close()
    }
  }

  /** Removes it. */
  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.#path, { force: true })
  }

  async #flush(): Promise<void> {
    const text = this.#unwritten
    this.#unwritten = ''
    await this.#told(() => this.#handle.appendFile(text))
  }

  async #told(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const message = `Cannot write '${this.#path}'. ${fileTrouble(error)}`
      throw new CliError(message, { name: 'FileNotWritable', exitCode: ExitCode.unusable, cause: error })
    }
  }
}

/**
 * A list that was mistaken for a place to write would be gone.
 * @throws {CliError} there is something of this name
 */
export const requireAbsent = async (path: string): Promise<void> => {
  const found = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw usageError(`Cannot write '${path}'. ${fileTrouble(error)}`, { cause: error })
  })
  if (found !== undefined) throw usageError(`There is a '${path}' already. Give another name, or remove it.`)
}
