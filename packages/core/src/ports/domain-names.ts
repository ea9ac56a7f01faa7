/** Internationalized domain names. */
export interface DomainNames {
  /**
   * The domain as A-labels in lower case, by UTS #46 non-transitional processing; undefined where it has none.
   * Never throws, and is never confused by characters that mean something in a URL.
   * @see https://www.unicode.org/reports/tr46/
   */
  toAscii(domain: string): string | undefined
}
