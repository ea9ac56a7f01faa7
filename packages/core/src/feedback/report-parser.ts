import type { ReportedFailure } from './judge-failure.ts'

/** What a mail server reports of a mail, in its own words: nothing of it is proven. */
export type MailReport =
  | {
      readonly kind: 'bounce'
      readonly failure: ReportedFailure
      /** Tells this report from others. */
      readonly id: string
    }
  | { readonly kind: 'delivery'; readonly id: string }
  | {
      readonly kind: 'complaint'
      readonly id: string
      /** What stands behind `/unsubscribe/` in the mail that it is about. */
      readonly links: readonly string[]
    }
  /** Of something else, such as a delay that is not over, or a signature that does not hold. */
  | { readonly kind: 'other' }

/** Reads reports of mail servers: RFC 3464 (delivery status), RFC 5965 (feedback), and bounces in plain words. */
export interface ReportParser {
  /** Undefined if the message is no report, or is too long. Never throws for what is in it. */
  parse(message: Uint8Array): Promise<MailReport | undefined>
}
