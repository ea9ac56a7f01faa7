import type { FeedbackItem } from './feedback-item.ts'

/** Reads what a mail provider sends by itself, and believes it only if that provider has signed it for this service. */
export interface FeedbackVerifier {
  /**
   * What it reports: nothing if the message is about something else, such as the subscription to its reports.
   * @param header what came with it, by its name in lower case
   * @throws {SignatureNotValid} it is not signed by the provider, or not meant for this service
   */
  verify(body: Uint8Array, header: (name: string) => string | undefined): Promise<readonly FeedbackItem[]>
}
