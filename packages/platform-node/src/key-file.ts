import { constants, mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessProblem } from './access-problem.ts'
import { hasErrorCode, unlessMissing } from './error-code.ts'
import { createPrivateFileSync, replacePrivateFile } from './files.ts'
import { OperatorError } from './operator-error.ts'

/** Keys cannot be used as they are; `message` says what to do, and never what is in them. */
export class KeysNotUsable extends OperatorError {
  override readonly name = 'KeysNotUsable'
}

/** A file that holds keys, for its owner alone. Several processes may read and change it at once. */
interface KeyFile<Keys> {
  readonly file: string
  /** @throws {KeysNotUsable} naming `where` */
  parse(text: string, where: string): Promise<Keys> | Keys
}

const MOST_BYTES = 1024 * 1024

/**
 * Reads the keys; if there is no file yet, makes it. Of several processes that start at once, one makes it and all use it.
 * @param first the text of a new file
 * @throws {KeysNotUsable} the file is damaged, open to others, or cannot be read or made
 */
export const openKeyFile = async <Keys>(
  { file, parse }: KeyFile<Keys>,
  first: () => Promise<string> | string,
): Promise<Keys> => {
  const text = (await readPrivateFile(file)) ?? (await writeFirst(file, await first()))
  return await parse(text, nameOf(file))
}

/** @throws {KeysNotUsable} it is gone, damaged, open to others, or cannot be read */
export const readKeyFile = async <Keys>({ file, parse }: KeyFile<Keys>): Promise<Keys> => {
  const text = await readPrivateFile(file)
  if (text === undefined) throw new KeysNotUsable(`${nameOf(file)} is gone. Put it back from a copy.`)
  return await parse(text, nameOf(file))
}

/**
 * Replaces the keys, whole and durably, while no other process does so.
 * @param change the new text, from the keys that are in the file by then
 * @throws {KeysNotUsable} they cannot be used, or not be written; then they are as they were
 */
export const changeKeyFile = async <Keys>(
  { file, parse }: KeyFile<Keys>,
  change: (before: Keys) => string,
): Promise<Keys> => {
  try {
    // If the name is a link, the file behind it is replaced, not the link.
    const target = await realpath(file)
    return await withFileLock(target, async () => {
      const text = change(await readKeyFile({ file: target, parse }))
      const keys = await parse(text, nameOf(file))
      await replacePrivateFile(target, text)
      return keys
    })
  } catch (cause) {
    if (cause instanceof KeysNotUsable) throw cause
    const message = `${nameOf(file)} cannot be replaced (${codeOf(cause)}). Fix the permissions of its folder, or make room on the disk.`
    throw new KeysNotUsable(message, { cause })
  }
}

const nameOf = (file: string): string => `The key file ${file}`

/** A JWK set, as key files have it (RFC 7517). */
export const jwkSetText = (keys: readonly object[]): string => `${JSON.stringify({ keys }, undefined, 2)}\n`

export type Jwk = Readonly<Record<string, unknown>>

/**
 * The keys of a JWK set, not looked at yet.
 * @throws {KeysNotUsable} it is none
 */
export const jwksIn = (json: string, where: string): readonly Jwk[] => {
  const set = parsed(json)
  const keys = isObject(set) ? set.keys : undefined
  if (Array.isArray(keys) && keys.every(isObject)) return keys
  throw new KeysNotUsable(`${where} is not a JWK set, {"keys":[...]}. Correct it, or put it back from a copy.`)
}

/**
 * The `exp` of a key, in seconds, as OpenID Federation 1.0 section 8.7.3 has it; here in milliseconds.
 * @throws {KeysNotUsable} it is no time
 */
export const keyExpiry = ({ exp }: Jwk, where: string): number | undefined => {
  if (exp === undefined) return undefined
  if (typeof exp === 'number' && Number.isSafeInteger(exp * 1_000)) return exp * 1_000
  throw new KeysNotUsable(`${where} holds a key whose 'exp' is not a time in seconds. Correct it.`)
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    // Not even as a cause: the parser's message quotes the text, and the text is a secret.
    return undefined
  }
}

const isObject = (value: unknown): value is Jwk => typeof value === 'object' && value !== null && !Array.isArray(value)

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
  if (access?.refused)
    throw new KeysNotUsable(`The key file ${file} ${access.problem}. ${access.remedy}`, { cause: access })
  return await handle.readFile('utf8')
}

/**
 * Writes a file that must not be there yet, whole and durably. If another process was first, its file stays.
 * The text that is there in the end.
 * @throws {KeysNotUsable}
 */
const writeFirst = async (file: string, text: string): Promise<string> => {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    createPrivateFileSync(file, text)
  } catch (cause) {
    const message = `The key file ${file} cannot be made (${codeOf(cause)}). Fix the permissions of its folder.`
    throw new KeysNotUsable(message, { cause })
  }
  const written = await readPrivateFile(file)
  if (written === undefined) throw new KeysNotUsable(`The key file ${file} vanished while it was made. Start again.`)
  return written
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

const LONGEST_HOLD = 5_000
const PAUSE = 20

/**
 * Does the work while no other process works on this file. A process that is killed leaves its lock behind, which is
 * broken once it has not changed hands for `longestHold` milliseconds.
 */
export const withFileLock = async <T>(file: string, work: () => Promise<T>, longestHold = LONGEST_HOLD): Promise<T> => {
  const lock = `${file}.lock`
  let holder: string | undefined
  let since = performance.now()
  while (!(await create(lock))) {
    const present = await identityOf(lock)
    if (present !== holder) {
      holder = present
      since = performance.now()
    } else if (performance.now() - since > longestHold) await rm(lock, { force: true })
    await sleep(PAUSE)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

const create = async (lock: string): Promise<boolean> => {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Undefined if it is gone already. */
const identityOf = async (lock: string): Promise<string | undefined> => {
  const found = await unlessMissing(stat(lock, { bigint: true }))
  return found && `${found.ino} ${found.ctimeNs}`
}

const LOOK_EVERY = 500

interface KeyFileWatchOptions<Keys> extends KeyFile<Keys> {
  /** Called with the keys whenever the file was changed. */
  readonly use: (keys: Keys) => void
  /** Called once for each problem with the file; the earlier keys stay in use. Must not throw. */
  readonly onTrouble: (error: unknown) => void
}

/**
 * Makes a running service use the current key file, within half a second of a change. What cannot be read or used never
 * takes the good keys away.
 */
export class KeyFileWatch<Keys> {
  readonly #options: KeyFileWatchOptions<Keys>
  /** The state of the file that the keys are from. */
  #seen: string | undefined
  /** The last problem that was reported, so that it is reported once. */
  #trouble: string | undefined
  #timer: NodeJS.Timeout | undefined
  #look: Promise<void> | undefined

  constructor(options: KeyFileWatchOptions<Keys>) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.#lookOnce(), LOOK_EVERY).unref()
    this.#lookOnce()
  }

  /** Looks no more; what is being looked at is finished. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#look
  }

  #lookOnce(): void {
    this.#look ??= this.#reload().finally(() => {
      this.#look = undefined
    })
  }

  async #reload(): Promise<void> {
    const { file, use, onTrouble } = this.#options
    try {
      const state = await stateOf(file)
      if (state === this.#seen) return
      // It may be replaced between the two: then its state is another the next time.
      use(await readKeyFile(this.#options))
      this.#seen = state
      this.#trouble = undefined
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== this.#trouble) onTrouble(error)
      this.#trouble = message
    }
  }
}

const stateOf = async (file: string): Promise<string> => {
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ')
}
