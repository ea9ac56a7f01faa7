import { randomBytes } from 'node:crypto'
import { constants, link, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { hasErrorCode, syncFolder, unlessMissing } from '@rollcall/platform-node'
import { generateOwnJwk, type Jwk, KeysNotUsable, type OwnKeySet, OwnKeys, parseOwnKeySet } from './own-keys.ts'

const OTHERS = 0o077
const MOST_BYTES = 1024 * 1024
const onWindows = process.platform === 'win32'

/**
 * Opens the signing keys kept in a file; makes one, for this user alone, where there is no file yet. Of several
 * processes that start at once, one makes it and all use it.
 * @throws {KeysNotUsable} the file is damaged, open to others, or cannot be read or made
 */
export const openOwnKeys = async ({ file }: { readonly file: string }): Promise<OwnKeys> => {
  const existing = await readPrivateFile(file)
  return new OwnKeys(await parseOwnKeySet(existing ?? (await makeKeyFile(file)), `The key file ${file}`))
}

const makeKeyFile = async (file: string): Promise<string> =>
  await writeFirst(file, keyFileText([await generateOwnJwk()]))

/** @throws {KeysNotUsable} it is gone, damaged, open to others, or cannot be read */
export const readKeyFile = async (file: string): Promise<OwnKeySet> => {
  const text = await readPrivateFile(file)
  if (text === undefined) throw new KeysNotUsable(`The key file ${file} is gone. Put it back from a backup.`)
  return await parseOwnKeySet(text, `The key file ${file}`)
}

export const keyFileText = (keys: readonly Jwk[]): string => `${JSON.stringify({ keys }, undefined, 2)}\n`

/**
 * The text of a file that only its owner can read, or undefined if it does not exist.
 * @throws {KeysNotUsable} others may read it, or this process may not
 */
const readPrivateFile = async (file: string): Promise<string | undefined> => {
  const handle = await orUndefined(open(file, constants.O_RDONLY), file)
  if (!handle) return undefined
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || stat.size > MOST_BYTES) throw new KeysNotUsable(`${file} is not a key file. Move it away.`)
    // Windows has no such bits; its files take after their folder.
    if (!onWindows && (stat.mode & OTHERS) !== 0) {
      throw new KeysNotUsable(`The key file ${file} is open to other users. Close it: chmod 600 ${file}`)
    }
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
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
  } catch (error) {
    throw new KeysNotUsable(
      `The key file ${file} cannot be made (${codeOf(error)}). Fix the permissions of its folder.`,
      {
        cause: error,
      },
    )
  }
  const written = await readPrivateFile(file)
  if (written === undefined) throw new KeysNotUsable(`The key file ${file} vanished while it was made. Start again.`)
  return written
}

/** Replaces a private file, whole and durably; it keeps its owner. Only one process at a time may do that. */
export const replacePrivateFile = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.new`
  // What a process that was killed has left.
  await rm(draft, { force: true })
  const { uid, gid } = await stat(file)
  const handle = await open(draft, 'wx', 0o600)
  try {
    // Root may rotate the keys of a service that runs as another user, who must be able to read them.
    if (!onWindows && uid !== process.getuid?.()) await handle.chown(uid, gid)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await syncFolder(path.dirname(file))
}

// A link, unlike a rename, fails where the name is taken: the first process wins, and half a file is never seen.
const publish = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  await syncFolder(path.dirname(file))
}

const orUndefined = async <T>(opening: Promise<T>, file: string): Promise<T | undefined> => {
  try {
    return await unlessMissing(opening)
  } catch (error) {
    throw new KeysNotUsable(`The key file ${file} cannot be read (${codeOf(error)}). Fix its permissions.`, {
      cause: error,
    })
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
