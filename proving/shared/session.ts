import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Steps of a dialogue; `body` is when the first bytes of the mail come. */
export type Step = 'connect' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'body' | 'dot'

/**
 * What the relay does instead: another reply, hanging up, silence, or garbage.
 * `keep` accepts the mail and hangs up before it says so.
 */
export type Fault =
  | { readonly reply: string; readonly hangUp?: boolean }
  | { readonly act: 'drop' | 'hang' | 'garbage' | 'reset' | 'endless' | 'trickle' | 'keep' }

export interface Dialogue {
  /** The number of the connection, from 0. */
  readonly connection: number
  readonly recipient: string | undefined
}

/** Called at every step; undefined for no fault. */
export type Decide = (step: Step, dialogue: Dialogue) => Fault | undefined

const REPLIES: Readonly<Record<Step, string>> = {
  connect: '220 sink.example.com ESMTP',
  EHLO: '250-sink.example.com\r\n250-8BITMIME\r\n250 SMTPUTF8',
  MAIL: '250 2.1.0 OK',
  RCPT: '250 2.1.5 OK',
  DATA: '354 go ahead',
  body: '',
  dot: '250 2.0.0 accepted',
}

/** What a session needs and reports. */
interface SessionEvents {
  readonly decide: Decide
  /** Milliseconds before each answer. */
  readonly delay: () => number
  /** The earliest time that what is read now may have come; in milliseconds of this process. */
  readonly cameAt: () => number
  /** Called with a complete mail. `begunAt` is in milliseconds of this process. */
  readonly accepted: (mail: { begunAt: number; recipient: string; text: string; cutOff: boolean }) => void
}

const END_OF_MAIL = '\r\n.\r\n'
const LONGEST_LINE = 4_096

/** One connection of a relay with faults on demand. No SMTP library, so that none judges itself. */
export class Session {
  readonly #socket: Socket
  readonly #connection: number
  readonly #events: SessionEvents
  #input = ''
  #inMail = false
  /** When the dialogue about the current mail began; connecting begins the first one. */
  #begunAt = performance.now()
  #mails = 0
  #recipient: string | undefined
  #silent = false

  constructor(socket: Socket, connection: number, events: SessionEvents) {
    this.#socket = socket
    this.#connection = connection
    this.#events = events
    // Clients are killed on purpose while they send.
    socket
      .on('error', () => undefined)
      .setNoDelay(true)
      .setEncoding('latin1')
    socket.on('data', (text: string) => this.#read(text))
    void this.#answer('connect')
  }

  #read(text: string): void {
    if (this.#silent) return
    this.#input += text
    if (this.#inMail) {
      this.#readMail()
      return
    }
    for (let end = this.#input.indexOf('\r\n'); end >= 0 && !this.#silent; end = this.#input.indexOf('\r\n')) {
      const line = this.#input.slice(0, end)
      this.#input = this.#input.slice(end + 2)
      this.#command(line)
      if (this.#inMail) return
    }
    if (this.#input.length > LONGEST_LINE) this.#socket.destroy()
  }

  #command(line: string): void {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO' || verb === 'HELO') void this.#answer('EHLO')
    else if (verb === 'MAIL') {
      if (this.#mails++ > 0) this.#begunAt = this.#events.cameAt()
      this.#recipient = undefined
      void this.#answer('MAIL')
    } else if (verb === 'RCPT') {
      this.#recipient = /<(.*)>/.exec(line)?.[1] ?? ''
      void this.#answer('RCPT')
    } else if (verb === 'DATA') void this.#answer('DATA')
    else if (verb === 'QUIT') this.#socket.end('221 bye\r\n')
    else this.#socket.write(verb === 'RSET' || verb === 'NOOP' ? '250 OK\r\n' : '502 what is that?\r\n')
  }

  #readMail(): void {
    if (this.#input !== '' && this.#fault('body')) return
    // A mail without a line would end at once.
    const end = `\r\n${this.#input}`.indexOf(END_OF_MAIL)
    if (end < 0) return
    const text = this.#input.slice(0, Math.max(0, end - 2))
    this.#input = this.#input.slice(end + END_OF_MAIL.length - 2)
    this.#inMail = false
    const fault = this.#events.decide('dot', this.#dialogue)
    const keep = fault !== undefined && 'act' in fault && fault.act === 'keep'
    if (fault === undefined || keep) this.#accept(text, keep)
    if (keep) this.#socket.destroy()
    else if (fault) void this.#commit(fault)
    else void this.#say('dot')
  }

  #accept(text: string, cutOff: boolean): void {
    const recipient = this.#recipient ?? ''
    this.#events.accepted({ begunAt: this.#begunAt, recipient, text: text.replace(/^\.\./gm, '.'), cutOff })
  }

  get #dialogue() {
    return { connection: this.#connection, recipient: this.#recipient }
  }

  async #answer(step: Step): Promise<void> {
    if (this.#fault(step)) return
    if (step === 'DATA') this.#inMail = true
    await this.#say(step)
  }

  async #say(step: Step): Promise<void> {
    const delay = this.#events.delay()
    if (delay > 0) await sleep(delay)
    if (!this.#socket.destroyed) this.#socket.write(`${REPLIES[step]}\r\n`)
  }

  #fault(step: Step): boolean {
    const fault = this.#events.decide(step, this.#dialogue)
    if (fault === undefined) return false
    void this.#commit(fault)
    return true
  }

  async #commit(fault: Fault): Promise<void> {
    if ('reply' in fault) {
      this.#socket.write(`${fault.reply}\r\n`)
      if (fault.hangUp) this.#socket.end()
      return
    }
    this.#silent = fault.act !== 'garbage'
    if (fault.act === 'drop') this.#socket.destroy()
    else if (fault.act === 'reset') this.#socket.resetAndDestroy()
    else if (fault.act === 'garbage') this.#socket.write('\u0000\u00ff not SMTP at all \r\n\r\n<html>\r\n')
    else if (fault.act === 'endless') await this.#repeat('250-and another thing\r\n', 1)
    else if (fault.act === 'trickle') await this.#repeat('2', 1_000)
  }

  async #repeat(text: string, every: number): Promise<void> {
    while (!this.#socket.destroyed && this.#socket.writable) {
      this.#socket.write(text)
      await sleep(every)
    }
  }
}
