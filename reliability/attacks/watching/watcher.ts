import { setTimeout as sleep } from 'node:timers/promises'
import { opened } from '../raw.ts'
import { KeptConnection } from '../timing/kept-connection.ts'

interface Look {
  readonly began: number
  readonly ended: number
}

/** Milliseconds between an answer and the next question. */
const PAUSE = 1

/** Asks the same again and again, and remembers when it waited for how long. */
export class Watcher implements AsyncDisposable {
  readonly #looks: Look[] = []
  readonly #connection: KeptConnection
  readonly #running: Promise<void>
  #isStopped = false

  private constructor(connection: KeptConnection, bytes: Buffer) {
    this.#connection = connection
    this.#running = this.#run(bytes)
  }

  static async start(port: number, bytes: Buffer): Promise<Watcher> {
    return new Watcher(new KeptConnection(await opened(port)), bytes)
  }

  async #run(bytes: Buffer): Promise<void> {
    while (!this.#isStopped) {
      const began = performance.now()
      const { status, milliseconds } = await this.#connection.ask(bytes)
      if (status !== 200) throw new Error(`what is watched is answered ${status}`)
      this.#looks.push({ began, ended: began + milliseconds })
      await sleep(PAUSE)
    }
  }

  /** The longest wait that touches this span, in milliseconds. */
  longest(from: number, to: number): number {
    const looks = this.#looks
    let [low, high] = [0, looks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((looks[middle]?.ended ?? 0) < from) low = middle + 1
      else high = middle
    }
    let most = 0
    for (let n = low; n < looks.length && (looks[n]?.began ?? to) < to; n++) {
      const { began, ended } = looks[n] as Look
      most = Math.max(most, ended - began)
    }
    return most
  }

  /** Resolves when the last answer has come. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    await this.#running
    this.#connection.close()
  }
}
