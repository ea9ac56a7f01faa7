import { randomBytes } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, opendir, readFile, rename, unlink } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder, unlessMissing } from '@rollcall/platform-node'

const DRAFT = '.tmp'

interface SeenFile {
  readonly kind: 'plain' | 'link' | 'other'
  /** In whole milliseconds since 1970. */
  readonly writtenAt: number
  readonly bytes: number
}

/** A folder of mails, one file each, every one whole and durable or not there. For this user alone. */
export class MailFolder {
  readonly #path: string
  /** Distinguishes the drafts of this process from those that a crash left behind. */
  readonly #draftPrefix = `.${randomBytes(6).toString('hex')}-`
  #drafts = 0

  constructor(folder: string) {
    this.#path = path.resolve(folder)
  }

  /** The file that it is in, once it is on disk under its name. Replaces one of the same name. */
  async write(name: string, content: Uint8Array): Promise<string> {
    const draft = path.join(this.#path, `${this.#draftPrefix}${this.#drafts++}${DRAFT}`)
    const file = path.join(this.#path, name)
    const handle = await this.#create(draft)
    try {
      await writeAndSync(handle, content)
      await rename(draft, file)
    } catch (error) {
      await unlinkIfThere(draft)
      throw error
    }
    await syncFolder(this.#path)
    return file
  }

  /** Removes the files, durably; nothing if they are not there. How many were there. */
  async remove(names: readonly string[]): Promise<number> {
    let removed = 0
    for (const name of names) if (await unlinkIfThere(path.join(this.#path, name))) removed++
    if (removed > 0) await syncFolder(this.#path)
    return removed
  }

  /** What is in the file; undefined if it does not exist. */
  async read(name: string): Promise<string | undefined> {
    return await unlessMissing(readFile(path.join(this.#path, name), 'utf8'))
  }

  /** What is known of the file without reading it; undefined if there is nothing of this name. */
  async look(name: string): Promise<SeenFile | undefined> {
    const stats = await unlessMissing(lstat(path.join(this.#path, name)))
    if (stats === undefined) return undefined
    const kind = stats.isFile() ? 'plain' : stats.isSymbolicLink() ? 'link' : 'other'
    return { kind, writtenAt: Math.floor(stats.mtimeMs), bytes: stats.size }
  }

  /** The names of all files, one by one; a folder that is not there has none. */
  async *names({ withLinks = false } = {}): AsyncGenerator<string> {
    const folder = await unlessMissing(opendir(this.#path, { bufferSize: 256 }))
    if (!folder) return
    for await (const entry of folder) if (entry.isFile() || (withLinks && entry.isSymbolicLink())) yield entry.name
  }

  /** Whether the file is a draft of another process, or of one that ended before it was complete. */
  isLeftoverDraft(name: string): boolean {
    return name.startsWith('.') && name.endsWith(DRAFT) && !name.startsWith(this.#draftPrefix)
  }

  async #create(draft: string): Promise<FileHandle> {
    const create = () => open(draft, 'wx', 0o600)
    const handle = await unlessMissing(create())
    if (handle) return handle
    await mkdir(this.#path, { recursive: true, mode: 0o700 })
    await syncFolder(path.dirname(this.#path))
    return await create()
  }
}

const writeAndSync = async (handle: FileHandle, content: Uint8Array): Promise<void> => {
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const unlinkIfThere = async (file: string): Promise<boolean> =>
  (await unlessMissing(unlink(file).then(() => true))) ?? false
