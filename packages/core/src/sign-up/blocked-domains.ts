import type { EmailAddress } from '../subscriptions/email-address.ts'

/** Domains whose addresses are taken like any others, and nothing becomes of them. Each stands for those within it, too. */
export class BlockedDomains {
  readonly #domains: ReadonlySet<string>

  /** @param domains in lower case, as A-labels */
  constructor(domains: Iterable<string> = []) {
    this.#domains = new Set(domains)
  }

  /** The same work whatever is in the list. */
  has({ value }: Pick<EmailAddress, 'value'>): boolean {
    const labels = value
      .slice(value.lastIndexOf('@') + 1)
      .toLowerCase()
      .split('.')
    return labels.some((_, n) => this.#domains.has(labels.slice(n).join('.')))
  }
}
