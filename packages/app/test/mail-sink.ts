import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

interface ReceivedMail {
  /** The envelope's sender. */
  readonly from: string
  readonly to: string
  readonly messageId: string
  readonly text: string
}

/** A real SMTP server that remembers what it accepted. */
export class MailSink implements AsyncDisposable {
  readonly mails: ReceivedMail[] = []
  readonly #server: SMTPServer
  /** Recipients that it refuses. */
  refused = new Set<string>()
  /** Milliseconds that it takes over each mail. */
  delay = 0

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onRcptTo: ({ address }, _, done) => {
        const refusal = Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 })
        done(this.refused.has(address) ? refusal : undefined)
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const messageId = /^Message-ID: (.+)$/im.exec(text)?.[1]?.trim() ?? ''
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          for (const { address } of envelope.rcptTo) this.mails.push({ from, to: address, messageId, text })
          setTimeout(() => done(), this.delay)
        })
      },
    })
    // A client that is killed in the middle of a mail is what this is for.
    this.#server.on('error', () => undefined)
  }

  static async open(): Promise<MailSink> {
    const sink = new MailSink()
    const listening = sink.#server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    return sink
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`
  }

  /** The Message-IDs that went to each address. */
  byAddress(): Map<string, Set<string>> {
    const byAddress = new Map<string, Set<string>>()
    for (const { to, messageId } of this.mails) byAddress.set(to, (byAddress.get(to) ?? new Set()).add(messageId))
    return byAddress
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
