import { utf8Of } from '../src/bytes.ts'
import {
  type Mail,
  type MailReport,
  type MailTransport,
  MailWithdrawn,
  type ReportParser,
  type ShownMail,
  type TargetAnswer,
  type WebhookMessage,
  type WebhookTransport,
} from '../src/index.ts'

/** Keeps every mail it was given; a retry replaces its first try. */
export class MemoryMailTransport implements MailTransport {
  readonly domain = 'rollcall.example'
  readonly keepsMails = true
  readonly concurrency = 4
  /** What the other side does with a mail before it takes it; throws if it refuses. */
  otherSide: (mail: Mail) => Promise<void> = async () => {}
  /** What happens before it can begin. */
  ready: () => Promise<void> = async () => {}
  readonly #mails = new Map<string, Mail>()

  get mails(): readonly Mail[] {
    return [...this.#mails.values()]
  }

  async send(mail: Mail, isDue = async () => true): Promise<void> {
    await this.ready()
    if (!(await isDue())) throw new MailWithdrawn()
    await this.otherSide(mail)
    this.#mails.set(mail.messageId, mail)
  }

  async show(mail: Mail): Promise<ShownMail> {
    const { kind, messageId, feed, links } = mail
    const text = [feed.title, ...Object.values(links).filter((link) => link !== undefined)].join('\n')
    return {
      subject: kind,
      text,
      html: `<pre>${text}</pre>`,
      message: utf8Of(`Message-ID: <${messageId}>\r\n\r\n${text}`),
    }
  }

  async forget(messageIds: readonly string[]): Promise<void> {
    for (const messageId of messageIds) this.#mails.delete(messageId)
  }

  async close(): Promise<void> {}
}

/** Reads every message as the report that it is given. */
export class MemoryReportParser implements ReportParser {
  report: MailReport | undefined
  /** The messages that it was given. */
  readonly read: Uint8Array[] = []

  async parse(message: Uint8Array): Promise<MailReport | undefined> {
    this.read.push(message)
    return this.report
  }
}

/** Keeps every message that was taken, in the order in which they were. */
export class MemoryWebhookTransport implements WebhookTransport {
  readonly concurrency = 20
  /** What the target does with a message before it takes it, and may say to it; throws if it does not. */
  otherSide: (message: WebhookMessage) => Promise<unknown> = async () => {}
  readonly messages: WebhookMessage[] = []
  #isClosed = false

  problemWith(url: string): string | undefined {
    return /^https:/i.test(url) ? undefined : 'Use https.'
  }

  async send(message: WebhookMessage): Promise<TargetAnswer> {
    if (this.#isClosed) throw Object.assign(new Error('The transport is closed.'), { name: 'AbortError' })
    const answer = await this.otherSide(message)
    this.messages.push(message)
    return isAnswer(answer) ? answer : { status: 200 }
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }
}

const isAnswer = (said: unknown): said is TargetAnswer => typeof said === 'object' && said !== null && 'status' in said
