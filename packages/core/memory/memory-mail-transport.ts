import type { Mail, MailTransport } from '../src/index.ts'

/** Keeps every mail it was given; a retry replaces its first try. */
export class MemoryMailTransport implements MailTransport {
  readonly domain = 'rollcall.example'
  readonly keepsMails = true
  readonly concurrency = 4
  /** What the other side does with a mail before it takes it; throws where it refuses. */
  otherSide: (mail: Mail) => Promise<void> = async () => {}
  readonly #mails = new Map<string, Mail>()

  get mails(): readonly Mail[] {
    return [...this.#mails.values()]
  }

  async send(mail: Mail): Promise<void> {
    await this.otherSide(mail)
    this.#mails.set(mail.messageId, mail)
  }

  async forget(messageIds: readonly string[]): Promise<void> {
    for (const messageId of messageIds) this.#mails.delete(messageId)
  }

  async close(): Promise<void> {}
}
