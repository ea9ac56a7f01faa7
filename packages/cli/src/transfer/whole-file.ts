import { lstat, realpath } from 'node:fs/promises'
import { unlessMissing } from '@rollcall/platform-node'
import { usageError } from '../cli-error.ts'
import { cannotWrite, NewFile } from '../new-file.ts'

/**
 * A file that is there once it is whole, and then in place of any that was there before: until then it is written beside
 * it under another name. Only its owner can read it.
 */
export class WholeFile {
  readonly #path: string
  readonly #file: NewFile

  private constructor(path: string, file: NewFile) {
    this.#path = path
    this.#file = file
  }

  /** @throws {CliError} it cannot be made, or something of this name is not a regular file */
  static async begin(path: string): Promise<WholeFile> {
    const target = await plainFileAt(path).catch((error: unknown) => {
      throw cannotWrite(path, error)
    })
    const temporary = `${target}.${process.pid}.part`
    return new WholeFile(target, await NewFile.create(temporary, path))
  }

  /** @throws {CliError} the disk is full, or broken */
  async write(text: string): Promise<void> {
    await this.#file.write(text)
  }

  /**
   * Once this resolves it is there, on durable storage.
   * @throws {CliError} the disk is full, or broken; then it is discarded
   */
  async finish(): Promise<void> {
    try {
      await this.#file.finishAs(this.#path)
    } catch (error) {
      await this.discard()
      throw error
    }
  }

  /** What was there before stays. */
  async discard(): Promise<void> {
    await this.#file.discard()
  }
}

/** Where the file really is or will be. A device must not be replaced by a file. */
const plainFileAt = async (path: string): Promise<string> => {
  const found = await unlessMissing(lstat(path))
  if (found === undefined) return path
  if (found.isSymbolicLink()) return await plainFileAt(await realpath(path))
  if (found.isFile()) return path
  throw usageError(`'${path}' is not a regular file. Give the name of a file; for a pipe, use standard output.`)
}
