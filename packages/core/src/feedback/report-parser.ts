/** What a mail server reports of a mail, in its own words: nothing of it is proven. */
export type MailReport =
  | {
      readonly kind: 'bounce'
      /** Undefined where it reports a delivery, or a delay that is not over. */
      readonly failure: { readonly permanent: boolean; readonly status: string | undefined } | undefined
      /** Tells this report from others. */
      readonly id: string
    }
  | {
      readonly kind: 'complaint'
      /** What stands behind `/unsubscribe/` in the mail that it is about. */
      readonly links: readonly string[]
    }

/** Reads reports of mail servers: RFC 3464 (delivery status), RFC 5965 (feedback). */
export interface ReportParser {
  /** Undefined if the message is no report, or is too long. Never throws for what is in it. */
  parse(message: Uint8Array): Promise<MailReport | undefined>
}
