import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { AcceptedMail } from './mailbox.ts'
import { type Decide, Session } from './session.ts'

/** The relay that the service sends its mails to. It survives the service. */
export class Relay implements AsyncDisposable {
  /** Decides about faults; none at first. */
  decide: Decide = () => undefined
  /** Milliseconds before each answer. */
  delay = 0
  /** Of the process of the service that is running, counted from 0. */
  processNumber = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #connections = 0
  /** When this event loop last had read all that had come, and before that: what comes during a stall is read later. */
  #turns: readonly [before: number, last: number] = [performance.now(), performance.now()]
  #turning: NodeJS.Timeout | undefined

  private constructor(accepted: (mail: AcceptedMail) => void) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      const processNumber = this.processNumber
      socket.once('close', () => this.#sockets.delete(socket))
      new Session(socket, this.#connections++, {
        decide: (step, dialogue) => this.decide(step, dialogue),
        delay: () => this.delay,
        cameAt: () => this.#turns[0],
        accepted: ({ recipient, text, ...mail }) =>
          accepted({
            ...mail,
            to: recipient,
            messageId: messageIdOf(text),
            acceptedAt: performance.now(),
            processNumber,
            text,
          }),
      })
    })
  }

  // An immediate comes after all that there is to be read; several beats of a timer may come without any reading.
  #turn(): void {
    this.#turns = [this.#turns[1], performance.now()]
    this.#turning = setTimeout(() => setImmediate(() => this.#turn()), 5).unref()
  }

  static async open(accepted: (mail: AcceptedMail) => void): Promise<Relay> {
    const relay = new Relay(accepted)
    relay.#turn()
    relay.#server.listen(0, '127.0.0.1')
    await once(relay.#server, 'listening')
    return relay
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#turning)
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const messageIdOf = (text: string): string => /^Message-ID: *(\S+)/im.exec(text)?.[1] ?? ''
