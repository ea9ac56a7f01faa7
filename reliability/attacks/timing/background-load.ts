import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openedMany, request } from '../raw.ts'

interface LoadOrder {
  readonly port: number
  readonly connections: number
}

const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** Sign-ups of unknown addresses, on each connection the next one as soon as the last is answered. */
const load = async ({ port, connections }: LoadOrder): Promise<void> => {
  let count = 0
  for (const socket of await openedMany(port, connections)) {
    const ask = () => socket.write(request('POST /subscribe', [FORM], `email=load-${count++}%40load.example`))
    // Answers are short: each comes in one piece.
    socket.on('data', ask)
    ask()
  }
  parentPort?.on('message', () => parentPort?.postMessage(count))
}

/** As much load as a service can take, from a thread of its own. */
export class BackgroundLoad implements AsyncDisposable {
  readonly #worker: Worker

  constructor(order: LoadOrder) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: order })
  }

  /** How many sign-ups there were. */
  get count(): Promise<number> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve)
      this.#worker.postMessage('count')
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}

if (!isMainThread) await load(workerData)
