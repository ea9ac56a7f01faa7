import { randomBytes } from 'node:crypto'
import { type FSWatcher, type Stats, watch } from 'node:fs'
import { constants, type FileHandle, link, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { accessProblem, hasErrorCode, syncFolder, unlessMissing } from '@rollcall/platform-node'
import { generateOwnJwk, type Jwk, KeysNotUsable, type OwnKeySet, OwnKeys, parseOwnKeySet } from './own-keys.ts'

const MOST_BYTES = 1024 * 1024

/**
 * Opens the signing keys kept in a file; makes one, for this user alone, where there is no file yet. Of several
 * processes that start at once, one makes it and all use it.
 * @throws {KeysNotUsable} the file is damaged, open to others, or cannot be read or made
 */
export const openOwnKeys = async ({ file }: { readonly file: string }): Promise<OwnKeys> => {
  const text = (await readPrivateFile(file)) ?? (await writeFirst(file, keyFileText([await generateOwnJwk()])))
  return new OwnKeys(await parseOwnKeySet(text, `The key file ${file}`))
}

/** @throws {KeysNotUsable} it is gone, damaged, open to others, or cannot be read */
export const readKeyFile = async (file: string): Promise<OwnKeySet> => {
  const text = await readPrivateFile(file)
  if (text === undefined) throw new KeysNotUsable(`The key file ${file} is gone. Put it back from a backup.`)
  return await parseOwnKeySet(text, `The key file ${file}`)
}

export const keyFileText = (keys: readonly Jwk[]): string => `${JSON.stringify({ keys }, undefined, 2)}\n`

/**
 * The text of a file that only its owner and group can read, or undefined if it does not exist.
 * @throws {KeysNotUsable} others may read it, or this process may not
 */
const readPrivateFile = async (file: string): Promise<string | undefined> => {
  await using handle = await unlessMissing(open(file, constants.O_RDONLY)).catch((cause: unknown) => {
    throw new KeysNotUsable(`The key file ${file} cannot be read (${codeOf(cause)}). Fix its permissions.`, { cause })
  })
  if (!handle) return undefined
  const stat = await handle.stat()
  if (!stat.isFile() || stat.size > MOST_BYTES) throw new KeysNotUsable(`${file} is not a key file. Move it away.`)
  const access = accessProblem(file, stat)
  if (access?.refused) throw new KeysNotUsable(`The key file ${file} ${access.problem}. ${access.remedy}`)
  return await handle.readFile('utf8')
}

/**
 * Writes a file that must not be there yet, whole and durably. Where another process was first, its file stays.
 * The text that is there in the end.
 * @throws {KeysNotUsable}
 */
const writeFirst = async (file: string, text: string): Promise<string> => {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await publish(file, text)
  } catch (cause) {
    const message = `The key file ${file} cannot be made (${codeOf(cause)}). Fix the permissions of its folder.`
    throw new KeysNotUsable(message, { cause })
  }
  const written = await readPrivateFile(file)
  if (written === undefined) throw new KeysNotUsable(`The key file ${file} vanished while it was made. Start again.`)
  return written
}

/** Replaces a private file, whole and durably; its group keeps the access it has. Only one process at a time may do that. */
export const replacePrivateFile = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.new`
  // What a process that was killed has left.
  await rm(draft, { force: true })
  await writeDraft(draft, text, await stat(file))
  await rename(draft, file)
  await syncFolder(path.dirname(file))
}

// A link, unlike a rename, fails where the name is taken: the first process wins, and half a file is never seen.
const publish = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  await writeDraft(draft, text)
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  await syncFolder(path.dirname(file))
}

const writeDraft = async (draft: string, text: string, before?: Stats) => {
  await using handle = await open(draft, 'wx', 0o600)
  if (before !== undefined) await keepGroup(handle, before)
  await handle.writeFile(text)
  await handle.sync()
}

// Root may rotate the keys of a service that reads them as the group.
const keepGroup = async (handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> => {
  if (process.geteuid?.() === 0) await handle.chown(uid, gid)
  if ((await handle.stat()).gid === gid) await handle.chmod(0o600 | (mode & 0o060))
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const LOOK_EVERY = 500

interface KeyFileWatchOptions {
  readonly file: string
  readonly keys: OwnKeys
  /** Called once for each problem with the file; the earlier keys stay in use. Must not throw. */
  readonly onTrouble: (error: unknown) => void
}

/**
 * Makes a running service use the current key file: at once where the system reports changes, else within
 * half a second. What cannot be read or used never takes the good keys away.
 */
export class KeyFileWatch {
  readonly #options: KeyFileWatchOptions
  /** The state of the file that the keys are from. */
  #seen: string | undefined
  /** The last problem that was reported, so that it is reported once. */
  #trouble: string | undefined
  #timer: NodeJS.Timeout | undefined
  #watcher: FSWatcher | undefined
  #look: Promise<void> | undefined

  constructor(options: KeyFileWatchOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.#lookOnce(), LOOK_EVERY).unref()
    this.#lookOnce()
  }

  /** Looks no more; what is being looked at is finished. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#look
    this.#watcher?.close()
  }

  #lookOnce(): void {
    this.#look ??= this.#reload().finally(() => {
      this.#look = undefined
    })
  }

  async #reload(): Promise<void> {
    const { file, keys, onTrouble } = this.#options
    try {
      const state = await stateOf(file)
      if (state === this.#seen) return
      // It may be replaced between the two: then its state is another the next time.
      keys.use(await readKeyFile(file))
      this.#seen = state
      this.#trouble = undefined
      this.#listen()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== this.#trouble) onTrouble(error)
      this.#trouble = message
    }
  }

  // To this very file and not to its folder, where the database writes all the time. A replaced file is another one.
  #listen(): void {
    this.#watcher?.close()
    if (this.#timer === undefined) return
    try {
      this.#watcher = watch(this.#options.file, { persistent: false }, () => this.#lookOnce())
      // Nothing is lost: the timer finds every change, only later.
      this.#watcher.on('error', () => this.#watcher?.close())
    } catch {
      // Likewise: some systems and folders cannot be watched.
      this.#watcher = undefined
    }
  }
}

const stateOf = async (file: string): Promise<string> => {
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ')
}
