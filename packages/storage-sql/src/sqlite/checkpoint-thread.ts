import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { SQLITE_FAILPOINTS } from '../failpoints.ts'
import { dirtyPages } from './free-space.ts'
import { fromThread } from './sqlite-error.ts'

export type Request = 'checkpoint' | 'close' | { readonly fd: number; readonly pageSize: number }

/** What takes long with the database file, in a thread that is started when it is first needed. */
export class CheckpointThread {
  readonly #file: string
  readonly #shared: boolean
  #worker: Worker | undefined
  #running: Promise<unknown> | undefined

  /** In shared mode nothing waits for the event loop, so no thread is started to look through the file once. */
  constructor(file: string, shared = false) {
    this.#file = file
    this.#shared = shared
  }

  /** Brings the log into the database file, in one pass: writes go on meanwhile, so that some of it may be left. */
  async checkpoint(): Promise<void> {
    this.#running ??= this.#ask('checkpoint')
    SQLITE_FAILPOINTS.duringCheckpoint.publish(undefined)
    await this.#running
  }

  /** The numbers of the pages in which something is left that should not be. The file stays this thread's. */
  async dirtyPages(fd: number, pageSize: number): Promise<Uint32Array> {
    if (this.#shared && this.#worker === undefined) return dirtyPages(fd, pageSize)
    while (this.#running) await this.#running
    const answer = this.#ask({ fd, pageSize })
    this.#running = answer
    return (await answer) as Uint32Array
  }

  async close(): Promise<void> {
    await this.#running?.catch(() => undefined)
    const worker = this.#worker
    if (worker === undefined) return
    this.#worker = undefined
    worker.ref()
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    await ended
  }

  async #ask(request: Request): Promise<unknown> {
    try {
      this.#worker ??= this.#start()
      this.#worker.ref()
      const answered = once(this.#worker, 'message')
      this.#worker.postMessage(request)
      const [answer] = await answered
      this.#worker.unref()
      return answer
    } catch (error) {
      this.#worker = undefined
      throw fromThread(error)
    } finally {
      this.#running = undefined
    }
  }

  #start(): Worker {
    // Built or not, it has the same ending as this file.
    const name = `./checkpoint-worker${path.extname(import.meta.filename)}`
    const worker = new Worker(new URL(name, import.meta.url), {
      workerData: { file: this.#file },
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    })
    worker.unref()
    return worker
  }
}
