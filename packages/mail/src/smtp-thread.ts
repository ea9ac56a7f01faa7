import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Mail, MailRefusedPermanently, MailUnanswered, MINUTE, SECOND } from '@rollcall/core'
import { RelayTrouble } from './relay.ts'
import type { SmtpTransportOptions } from './smtp-sender.ts'

export interface Order {
  readonly id: number
  readonly mail: Mail
}

export interface Failure {
  readonly kind: 'refused' | 'unanswered' | 'trouble' | 'defect'
  readonly name: string
  readonly message: string
  readonly recipientStatus?: string | undefined
}

/** Without a failure, the relay has taken the mail. */
export interface Answer {
  readonly id: number
  readonly failure?: Failure
}

export interface SmtpThreadOptions {
  readonly smtp: SmtpTransportOptions
  /** Called when the thread has ended by itself. */
  readonly onCrash: (error: unknown) => void
  /** Starts the thread; by default with `smtp-worker`. */
  readonly start?: ((smtp: SmtpTransportOptions) => Worker) | undefined
  /** Milliseconds, monotonic; by default of `performance`. */
  readonly now?: (() => number) | undefined
}

const SHORTEST_PAUSE = 1 * SECOND
const LONGEST_PAUSE = 1 * MINUTE

/** Sends mails in a thread of its own, which begins with the first mail. One that crashes is replaced after a pause. */
export class SmtpThread {
  readonly #options: SmtpThreadOptions
  readonly #now: () => number
  readonly #pending = new Map<number, PromiseWithResolvers<void>>()
  /** Those of one turn of the event loop: to wake the thread costs as much as an order. */
  #orders: Order[] = []
  #worker: Worker | undefined
  #ready: Promise<unknown> = Promise.resolve()
  #ended: Promise<unknown> = Promise.resolve()
  #next = 0
  #pause = 0
  #notBefore = Number.NEGATIVE_INFINITY

  constructor(options: SmtpThreadOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Resolves when a thread has started, or none can be started now. */
  async prepare(): Promise<void> {
    if (this.#now() < this.#notBefore) return
    this.#worker ??= this.#start()
    await this.#ready
  }

  /**
   * Resolves once the relay has taken the mail.
   * @throws {MailRefusedPermanently}
   * @throws {MailUnanswered}
   * @throws {RelayTrouble}
   */
  async send(mail: Mail): Promise<void> {
    if (this.#now() < this.#notBefore) throw crashed()
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = this.#next++
    const sent = Promise.withResolvers<void>()
    this.#pending.set(id, sent)
    worker.ref()
    this.#orders.push({ id, mail })
    if (this.#orders.length === 1) queueMicrotask(() => this.#hand(worker))
    await sent.promise
  }

  #hand(worker: Worker): void {
    worker.postMessage(this.#orders)
    this.#orders = []
  }

  /** Breaks off what is under way, and ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    worker?.ref()
    worker?.postMessage('close')
    await this.#ended
  }

  #start(): Worker {
    const { smtp, start = startWorker, onCrash } = this.#options
    const worker = start(smtp)
    const ready = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    let isReady = false
    this.#ready = ready.promise
    this.#ended = ended.promise
    worker.on('message', (message: readonly Answer[] | 'ready') => {
      if (message === 'ready') {
        isReady = true
        ready.resolve()
        this.#letGo(worker)
      } else for (const answer of message) this.#take(worker, answer)
    })
    worker.on('error', onCrash)
    worker.on('exit', () => {
      if (this.#worker === worker) this.#noticeCrash()
      for (const { reject } of this.#pending.values()) reject(isReady ? lost() : crashed())
      this.#pending.clear()
      ready.resolve()
      ended.resolve()
    })
    return worker
  }

  #take(worker: Worker, { id, failure }: Answer): void {
    this.#pause = 0
    const sent = this.#pending.get(id)
    this.#pending.delete(id)
    this.#letGo(worker)
    if (failure === undefined) sent?.resolve()
    else sent?.reject(errorOf(failure))
  }

  /** A process that has nothing else to do may end; but not before a thread that it closes has ended. */
  #letGo(worker: Worker): void {
    if (this.#pending.size === 0 && this.#worker === worker) worker.unref()
  }

  #noticeCrash(): void {
    this.#worker = undefined
    this.#pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, this.#pause * 2))
    this.#notBefore = this.#now() + this.#pause
  }
}

const startWorker = (smtp: SmtpTransportOptions): Worker => {
  // Built or not, it has the same ending as this file.
  const name = `./smtp-worker${path.extname(import.meta.filename)}`
  return new Worker(new URL(name, import.meta.url), {
    workerData: smtp,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
  })
}

const crashed = (): RelayTrouble => new RelayTrouble('The thread that sends mails has ended. It is started again soon.')

/** What became of a mail that a thread was given is not known when it ends. */
const lost = (): MailUnanswered =>
  new MailUnanswered('The mail may have been delivered: the thread that sends mails ended meanwhile.')

const errorOf = ({ kind, name, message, recipientStatus }: Failure): Error => {
  if (kind === 'refused') return new MailRefusedPermanently(message, { recipientStatus })
  if (kind === 'unanswered') return new MailUnanswered(message)
  if (kind === 'trouble') return new RelayTrouble(message)
  return Object.assign(new Error(message), { name })
}
