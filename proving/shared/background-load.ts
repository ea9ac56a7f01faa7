import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import autocannon, { type Options } from 'autocannon'

/** Longer than anything lasts: it is stopped. */
const SECONDS = 36_000

/** The load of autocannon, in a thread of its own. */
export class BackgroundLoad {
  readonly #worker: Worker

  constructor(options: Options) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: options })
  }

  /** How many answers were 2xx. @throws {Error} there was no load */
  async stop(): Promise<number> {
    const over = once(this.#worker, 'message')
    this.#worker.postMessage('stop')
    const [{ done, answered }] = (await over) as [{ done: number; answered: number }]
    await this.#worker.terminate()
    if (answered === 0) throw new Error('there was no load')
    return done
  }
}

if (!isMainThread) {
  const instance = autocannon({ duration: SECONDS, ...(workerData as Options) }, (_, result) => {
    parentPort?.postMessage({ done: result['2xx'], answered: result['2xx'] + result.non2xx })
  })
  parentPort?.once('message', () => instance.stop?.())
}
