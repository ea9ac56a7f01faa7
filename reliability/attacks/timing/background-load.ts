import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openedMany, request } from '../raw.ts'

interface LoadOrder {
  readonly port: number
  readonly connections: number
  /** Milliseconds from an answer to the next question; none by default. */
  readonly pause?: number
  /** Whether every processor has something else to do as well. */
  readonly isMachineBusy?: boolean | undefined
}

const SPIN = 'for (;;) Math.random()'

const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** Sign-ups of unknown addresses, on each connection the next one when the last is answered. */
const load = async ({ port, connections, pause = 0 }: LoadOrder): Promise<void> => {
  let count = 0
  for (const socket of await openedMany(port, connections)) {
    const ask = () => socket.write(request('POST /subscribe', [FORM], `email=load-${count++}%40load.example`))
    // Answers are short: each comes in one piece.
    socket.on('data', pause === 0 ? ask : () => setTimeout(ask, pause))
    ask()
  }
  parentPort?.on('message', () => parentPort?.postMessage(count))
}

/** As much load as a service can take unless there are pauses, from a thread of its own. */
export class BackgroundLoad implements AsyncDisposable {
  readonly #worker: Worker
  readonly #spinning: readonly Worker[]

  constructor(order: LoadOrder) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: order })
    const processors = order.isMachineBusy ? availableParallelism() : 0
    this.#spinning = Array.from({ length: processors }, () => new Worker(SPIN, { eval: true }))
  }

  /** How many sign-ups there were. */
  get count(): Promise<number> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve)
      this.#worker.postMessage('count')
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#worker, ...this.#spinning].map((worker) => worker.terminate()))
  }
}

if (!isMainThread) await load(workerData)
