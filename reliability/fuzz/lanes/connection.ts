import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, AnswerReader } from '../answers/answer.ts'

/** Milliseconds within which a service that has a processor answers `GET /livez`. */
const PROMPT = 500
const LONGEST = 300_000

/**
 * Resolves when the service answers promptly, or not at all: a busy machine makes
 * everything slow, which is not a finding.
 */
const untilPrompt = async (port: number): Promise<void> => {
  for (const end = performance.now() + LONGEST; performance.now() < end; await sleep(PROMPT)) {
    const begun = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer === undefined || performance.now() - begun < PROMPT) return
  }
}

/** Milliseconds without a byte after which the service hangs, unless the machine is slow. */
export const PATIENCE = 20_000
/** Milliseconds more, once the machine is not slow. */
const LAST_CHANCE = 3_000

export interface Received {
  readonly answers: readonly Answer[]
  /** Why answers are missing; undefined where none is. */
  readonly end: 'closed' | 'silent' | undefined
  /** What was wrong with the bytes. */
  readonly problem: string | undefined
}

/** A connection to the service, whose answers are read one by one. */
export class Connection {
  readonly #socket: net.Socket
  readonly #reader = new AnswerReader()
  #closed = false
  readonly #patience: number
  readonly #port: number
  /** Whether there are unread bytes. */
  #news = false
  #wake: (() => void) | undefined

  private constructor(socket: net.Socket, port: number, patience: number) {
    this.#port = port
    this.#patience = patience
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk)
      this.#news = true
      this.#wake?.()
    })
    // The close event follows.
    socket.on('error', () => undefined)
    socket.on('close', () => this.#finish())
    socket.on('end', () => this.#finish())
  }

  /** @throws {Error} the service does not listen any more */
  static async open(port: number, patience = PATIENCE): Promise<Connection> {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    return new Connection(socket, port, patience)
  }

  get isOpen(): boolean {
    return !this.#closed
  }

  write(bytes: Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes)
  }

  halfClose(): void {
    this.#socket.end()
  }

  close(): void {
    this.#socket.destroy()
  }

  reset(): void {
    this.#socket.resetAndDestroy()
  }

  /** The answers to requests with these methods, until all have come, the connection ends, or the service hangs. */
  async receive(methods: readonly string[]): Promise<Received> {
    const answers: Answer[] = []
    for (;;) {
      const method = methods[answers.length]
      if (method === undefined) return { answers, end: undefined, problem: undefined }
      try {
        const answer = this.#reader.next(method, this.#closed)
        if (answer !== undefined) {
          if (answer.status >= 200) answers.push(answer)
          continue
        }
      } catch (error) {
        return { answers, end: undefined, problem: String(error) }
      }
      if (this.#closed) return { answers, end: 'closed', problem: undefined }
      if (!(await this.#more())) return { answers, end: 'silent', problem: undefined }
    }
  }

  /** Everything until the connection ends; undefined where it stays open. */
  async receiveAll(): Promise<Buffer | undefined> {
    while (!this.#closed) if (!(await this.#more())) return undefined
    return this.#reader.rest
  }

  /** False where nothing comes although the service is healthy. */
  async #more(): Promise<boolean> {
    if (await this.#comes(this.#patience)) return true
    await untilPrompt(this.#port)
    return this.#news || (await this.#comes(LAST_CHANCE))
  }

  #comes(patience: number): Promise<boolean> {
    this.#news = false
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#wake = undefined
        resolve(false)
      }, patience)
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve(true)
      }
    })
  }

  #finish(): void {
    this.#closed = true
    this.#news = true
    this.#wake?.()
  }
}
