import { randomBytes } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { ownPlaceSync, unlessMissing } from '@rollcall/platform-node'
import { usageError } from '../cli-error.ts'
import { alreadyThere, cannotWrite, NewFile } from '../new-file.ts'

/**
 * A file that is there once it is whole: until then it is written beside it under another name. Only its owner can read
 * it.
 */
export class WholeFile {
  readonly #path: string
  readonly #file: NewFile

  private constructor(path: string, file: NewFile) {
    this.#path = path
    this.#file = file
  }

  /**
   * @param replace whether it may take the place of a file that is there
   * @throws {CliError} there is one, it cannot be made, is behind a link of another user, or is no regular file
   */
  static async begin(path: string, replace = true): Promise<WholeFile> {
    const target = await placeOf(path, replace).catch((error: unknown) => {
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
const placeOf = async (path: string, replace: boolean): Promise<string> => {
  const place = ownPlaceSync(path)
  const found = await unlessMissing(lstat(place))
  if (found === undefined) return place
  if (!found.isFile())
    throw usageError(`'${path}' is not a regular file. Give the name of a file; for a pipe, use standard output.`)
  if (replace) return place
  throw alreadyThere(path, 'Give another name, remove it, or add --replace.')
}
