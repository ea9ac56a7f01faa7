import type { WebhookMessage, WebhookTransport } from '../src/index.ts'

/** Keeps every message that was taken, in the order in which they were. */
export class MemoryWebhookTransport implements WebhookTransport {
  readonly concurrency = 20
  /** What the target does with a message before it takes it; throws where it does not. */
  otherSide: (message: WebhookMessage) => Promise<void> = async () => {}
  readonly messages: WebhookMessage[] = []

  problemWith(url: string): string | undefined {
    return /^https:/i.test(url) ? undefined : 'Use https.'
  }

  async send(message: WebhookMessage): Promise<void> {
    await this.otherSide(message)
    this.messages.push(message)
  }

  async close(): Promise<void> {}
}
