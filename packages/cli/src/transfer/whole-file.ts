import { randomBytes } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { ownPlaceSync, unlessMissing } from '@rollcall/platform-node'
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

  /** @throws {CliError} it cannot be made, is behind a link of another user, or is no regular file */
  static async begin(path: string): Promise<WholeFile> {
    const target = await plainFileAt(path).catch((error: unknown) => {
      throw cannotWrite(path, error)
    })
    // Not to be guessed: another could have made a file of this name in a shared folder.
    const temporary = `${target}.${randomBytes(8).toString('hex')}.part`
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
  const place = ownPlaceSync(path)
  const found = await unlessMissing(lstat(place))
  if (found === undefined || found.isFile()) return place
  throw usageError(`'${path}' is not a regular file. Give the name of a file; for a pipe, use standard output.`)
}
