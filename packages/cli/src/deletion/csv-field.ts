const SPECIAL = /[",\r\n]/
/** A spreadsheet would take such a field for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * A field of CSV; an apostrophe disarms what a spreadsheet would calculate.
 * @see RFC 4180 section 2
 */
export const csvField = (value: unknown): string => {
  const text = String(value)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return SPECIAL.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
