import type { SmtpPhase, SmtpTimeouts } from './smtp-timeouts.ts'

/** An entry of nodemailer's log. */
interface Entry {
  readonly tnx?: unknown
  /** In the entry that says that there is a connection. */
  readonly remoteAddress?: unknown
}

/**
 * Gives each part of a dialogue its time. Nodemailer knows one time for every silence, whatever it is about, and a relay
 * that says a byte now and then is never silent; but it logs each command, each answer and the end of the message.
 */
export class DialogueTimer {
  readonly #timeouts: SmtpTimeouts
  readonly #onLate: (phase: SmtpPhase) => void
  /** Commands without an answer: with PIPELINING there may be several. */
  #unanswered: string[] = []
  #running = false
  #timer: NodeJS.Timeout | undefined

  constructor(timeouts: SmtpTimeouts, onLate: (phase: SmtpPhase) => void) {
    this.#timeouts = timeouts
    this.#onLate = onLate
  }

  /** From now on until `stop` the relay is expected to do something. */
  start(phase: SmtpPhase): void {
    this.#unanswered = []
    this.#running = true
    this.#enter(phase)
  }

  stop(): void {
    this.#running = false
    clearTimeout(this.#timer)
  }

  /** What nodemailer is to log to, with its option `transactionLog`; other levels go to `info`. */
  logger(onConnected: () => void) {
    const info = ({ tnx, remoteAddress }: Entry): void => {
      if (tnx === 'network' && remoteAddress !== undefined) {
        onConnected()
        this.#enter('greeting')
      } else if (tnx === 'message') this.#enter('dot')
    }
    const debug = ({ tnx }: Entry, text: unknown): void => {
      if (tnx === 'client') this.#noteCommand(String(text))
      else if (tnx === 'server') this.#noteAnswer()
    }
    return { debug, info }
  }

  #noteCommand(command: string): void {
    this.#unanswered.push(command)
    if (this.#unanswered.length === 1) this.#enter(phaseOf(command))
  }

  #noteAnswer(): void {
    const answered = this.#unanswered.shift()
    const next = this.#unanswered[0]
    if (next !== undefined) this.#enter(phaseOf(next))
    else this.#enter(answered === 'DATA' ? 'block' : 'command')
  }

  #enter(phase: SmtpPhase): void {
    if (!this.#running) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onLate(phase), this.#timeouts[phase])
  }
}

const phaseOf = (command: string): SmtpPhase => (command === 'DATA' ? 'data' : 'command')
