import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Mail, MailRefusedPermanently, MailUnanswered, MailWithdrawn, MINUTE, SECOND } from '@rollcall/core'
import { BEGUN, decideOnce, FORGOTTEN, type MailState } from './mail-state.ts'
import { RelayTrouble } from './relay.ts'
import type { SmtpTransportOptions } from './smtp-sender.ts'

/** A mail to be sent, or the answer to whether it is due. */
export type Order =
  | { readonly id: number; readonly mail: Mail; readonly state: MailState | undefined }
  | { readonly id: number; readonly isDue: boolean }

export interface Failure {
  readonly kind: 'refused' | 'unanswered' | 'withdrawn' | 'trouble' | 'defect'
  readonly name: string
  readonly message: string
  readonly recipientStatus?: string | undefined
}

/** A question whether the mail is due; or what became of it: without a failure, the relay has taken it. */
export type Answer =
  | { readonly id: number; readonly asks: true }
  | { readonly id: number; readonly asks?: undefined; readonly failure?: Failure }

interface Pending {
  readonly messageId: string
  readonly sent: PromiseWithResolvers<void>
  readonly isDue: (() => Promise<boolean>) | undefined
  readonly state: MailState | undefined
  /** Whether something of it may have left. */
  begun: boolean
}

export interface SmtpThreadOptions {
  readonly smtp: SmtpTransportOptions
  /** Called when the thread has ended by itself. */
  readonly onCrash: (error: unknown) => void
  /** Starts the thread; by default with `smtp-worker`. */
  readonly start?: ((smtp: SmtpTransportOptions) => Worker) | undefined
}

const SHORTEST_PAUSE = 1 * SECOND
const LONGEST_PAUSE = 1 * MINUTE
/** How long an erasure waits for a mail that is being sent. */
const LONGEST_WAIT = 2 * SECOND

/** Sends mails in a thread of its own, which begins with the first mail. One that crashes is replaced after a pause. */
export class SmtpThread {
  readonly #options: SmtpThreadOptions
  readonly #pending = new Map<number, Pending>()
  /** Those of one turn of the event loop: to wake the thread costs as much as an order. */
  #orders: Order[] = []
  #worker: Worker | undefined
  #ended: Promise<unknown> = Promise.resolve()
  #next = 0
  #pause = 0
  #notBefore = Number.NEGATIVE_INFINITY

  constructor(options: SmtpThreadOptions) {
    this.#options = options
  }

  /**
   * Resolves once the relay has taken the mail.
   * @throws {MailRefusedPermanently}
   * @throws {MailUnanswered}
   * @throws {RelayTrouble}
   * @throws {MailWithdrawn}
   */
  async send(mail: Mail, isDue?: () => Promise<boolean>): Promise<void> {
    if (performance.now() < this.#notBefore) throw crashed()
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = this.#next++
    const sent = Promise.withResolvers<void>()
    const state = isDue && new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    this.#pending.set(id, { messageId: mail.messageId, sent, isDue, state, begun: isDue === undefined })
    worker.ref()
    this.#order(worker, { id, mail, state })
    await sent.promise
  }

  /** None of these that asks is begun from now on. One that is being sent is waited for, but not for long. */
  async forget(messageIds: readonly string[]): Promise<void> {
    const begun: Promise<void>[] = []
    for (const { messageId, state, sent } of this.#pending.values())
      if (state && messageIds.includes(messageId) && decideOnce(state, FORGOTTEN) === BEGUN) begun.push(sent.promise)
    if (begun.length > 0)
      await Promise.race([Promise.allSettled(begun), sleep(LONGEST_WAIT, undefined, { ref: false })])
  }

  #order(worker: Worker, order: Order): void {
    this.#orders.push(order)
    if (this.#orders.length === 1) queueMicrotask(() => this.#hand(worker))
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
    const ended = Promise.withResolvers<void>()
    this.#ended = ended.promise
    worker.on('message', (answers: readonly Answer[]) => {
      for (const answer of answers) this.#take(worker, answer)
    })
    worker.on('error', onCrash)
    worker.on('exit', () => {
      if (this.#worker === worker) this.#noticeCrash()
      for (const { sent, begun } of this.#pending.values()) sent.reject(begun ? lost() : crashed())
      this.#pending.clear()
      ended.resolve()
    })
    return worker
  }

  #take(worker: Worker, answer: Answer): void {
    this.#pause = 0
    const { id } = answer
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    if (answer.asks) {
      void this.#answer(worker, id, pending)
      return
    }
    this.#pending.delete(id)
    this.#letGo(worker)
    if (answer.failure === undefined) pending.sent.resolve()
    else pending.sent.reject(errorOf(answer.failure))
  }

  async #answer(worker: Worker, id: number, pending: Pending): Promise<void> {
    const isDue = await pending.isDue?.().catch((error: unknown) => {
      pending.sent.reject(error)
      return false
    })
    // The thread may have ended meanwhile.
    if (!this.#pending.has(id)) return
    pending.begun = isDue === true
    this.#order(worker, { id, isDue: pending.begun })
  }

  /** A process that has nothing else to do may end; but not before a thread that it closes has ended. */
  #letGo(worker: Worker): void {
    if (this.#pending.size === 0 && this.#worker === worker) worker.unref()
  }

  #noticeCrash(): void {
    this.#worker = undefined
    this.#pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, this.#pause * 2))
    this.#notBefore = performance.now() + this.#pause
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
  if (kind === 'withdrawn') return new MailWithdrawn()
  if (kind === 'trouble') return new RelayTrouble(message)
  return Object.assign(new Error(message), { name })
}
