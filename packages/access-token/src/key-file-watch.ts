import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { readKeyFile } from './key-file.ts'
import type { OwnKeys } from './own-keys.ts'

const LOOK_EVERY = 500

/**
 * Makes a running service use the current key file: at once where the system reports changes, else within
 * half a second. What cannot be read or used never takes the good keys away.
 */
export class KeyFileWatch {
  readonly #file: string
  readonly #keys: OwnKeys
  readonly #onTrouble: (error: unknown) => void
  /** The state of the file that the keys are from. */
  #seen: string | undefined
  /** The last problem that was reported, so that it is reported once. */
  #trouble: string | undefined
  #timer: NodeJS.Timeout | undefined
  #watcher: FSWatcher | undefined
  #look: Promise<void> | undefined

  constructor({
    file,
    keys,
    onTrouble,
  }: {
    readonly file: string
    readonly keys: OwnKeys
    /** Called once for each problem with the file; the keys of before stay in use. Must not throw. */
    readonly onTrouble: (error: unknown) => void
  }) {
    this.#file = file
    this.#keys = keys
    this.#onTrouble = onTrouble
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
    try {
      const state = await stateOf(this.#file)
      if (state === this.#seen) return
      // It may be replaced between the two: then its state is another the next time.
      this.#keys.use(await readKeyFile(this.#file))
      this.#seen = state
      this.#trouble = undefined
      this.#listen()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== this.#trouble) this.#onTrouble(error)
      this.#trouble = message
    }
  }

  // To this very file and not to its folder, where the database writes all the time. A replaced file is another one.
  #listen(): void {
    this.#watcher?.close()
    if (this.#timer === undefined) return
    try {
      this.#watcher = watch(this.#file, { persistent: false }, () => this.#lookOnce())
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
