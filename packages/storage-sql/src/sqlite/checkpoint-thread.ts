import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { fromThread } from './sqlite-error.ts'

/** Brings SQLite's log into the database file, in a thread that is started when it is first needed. */
export class CheckpointThread {
  readonly #file: string
  #worker: Worker | undefined
  #running: Promise<void> | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** One pass: writes go on meanwhile, so that some of the log may be left. */
  async checkpoint(): Promise<void> {
    this.#running ??= this.#ask('checkpoint')
    await this.#running
  }

  /** Writes the whole database anew, through the log; other writers wait meanwhile. */
  async rewrite(): Promise<void> {
    while (this.#running) await this.#running
    this.#running = this.#ask('rewrite')
    await this.#running
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

  async #ask(request: 'checkpoint' | 'rewrite'): Promise<void> {
    try {
      this.#worker ??= this.#start()
      this.#worker.ref()
      const answered = once(this.#worker, 'message')
      this.#worker.postMessage(request)
      await answered
      this.#worker.unref()
    } catch (error) {
      this.#worker = undefined
      throw fromThread(error)
    } finally {
      this.#running = undefined
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: { file: this.#file },
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    })
    worker.unref()
    return worker
  }
}
