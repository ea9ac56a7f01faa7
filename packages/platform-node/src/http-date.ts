const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const RFC_850 = /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

/**
 * A date in a header field, in milliseconds since 1970; undefined where it has none of the three forms that a recipient
 * must accept.
 * @see RFC 9110 section 5.6.7
 */
export const parseHttpDate = (field: string): number | undefined => {
  const date = field.trim()
  if (!IMF_FIXDATE.test(date) && !RFC_850.test(date) && !ASCTIME.test(date)) return undefined
  const milliseconds = Date.parse(ASCTIME.test(date) ? `${date} GMT` : date)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

/** The instant as a header field has it: in whole seconds, rounded down. */
export const formatHttpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString()
