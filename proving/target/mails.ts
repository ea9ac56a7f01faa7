import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { domainToASCII } from 'node:url'
import { SMTPServer } from 'smtp-server'
import { waitUntil } from './target.ts'

interface Mail {
  /** The envelope's sender. */
  readonly from: string
  readonly messageId: string
  /** Milliseconds of this process. */
  readonly acceptedAt: number
  /** As it was sent, but for the breaks that its encoding puts into long lines. */
  readonly text: string
}

type Link = 'confirm' | 'refuse' | 'unsubscribe' | 'preferences'

/** The server shows domains as they are read. */
const inAscii = ({ address }: { readonly address: string }) => {
  const at = address.lastIndexOf('@') + 1
  return { address: address.slice(0, at) + domainToASCII(address.slice(at)) }
}

/** The relay that the service sends its mails to, and what it has accepted. */
export class Mails implements AsyncDisposable {
  readonly #server: SMTPServer
  readonly #byAddress = new Map<string, Mail[]>()

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onData: (stream, { envelope }, done) => {
        const pieces: Buffer[] = []
        stream.on('data', (piece: Buffer) => pieces.push(piece))
        stream.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8').replaceAll('=\r\n', '')
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          const messageId = /^Message-ID: *(\S+)/im.exec(text)?.[1] ?? ''
          const mail = { from, messageId, acceptedAt: performance.now(), text }
          for (const { address } of envelope.rcptTo.map(inAscii))
            this.#byAddress.set(address, [...this.of(address), mail])
          done()
        })
      },
    })
    // Services are killed in the middle of a mail.
    this.#server.on('error', () => undefined)
  }

  static async open(): Promise<Mails> {
    const mails = new Mails()
    await once(mails.#server.listen(0, '127.0.0.1'), 'listening')
    return mails
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`
  }

  /** Oldest first. */
  of(address: string): readonly Mail[] {
    return this.#byAddress.get(address) ?? []
  }

  /** The token of a link in the newest mail that has one. */
  token(address: string, link: Link): string | undefined {
    const pattern = new RegExp(`/${link}/([\\w.-]*\\w)`)
    return this.of(address).reduceRight<string | undefined>(
      (found, { text }) => found ?? pattern.exec(text)?.[1],
      undefined,
    )
  }

  /** The same, once its mail has come. @throws {Error} it does not come */
  async comingToken(address: string, link: Link): Promise<string> {
    await waitUntil(() => this.token(address, link) !== undefined, `a mail for ${address}`)
    return this.token(address, link) ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
