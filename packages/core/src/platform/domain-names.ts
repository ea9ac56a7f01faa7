export interface DomainNames {
  /**
   * The domain as A-labels in lower case, by UTS #46 non-transitional processing; undefined if it has none, as one
   * with a label of broken Punycode. Never throws, is never confused by characters that mean something in a URL, and
   * never takes a name for the number that it looks like.
   * @see https://www.unicode.org/reports/tr46/
   */
  toAscii(domain: string): string | undefined
}
