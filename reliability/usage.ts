/** What was asked for on the command line cannot be done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * What `parseArgs` made of the command line.
 * @throws {UsageError} an option is not known, or used wrongly
 */
export const understood = <Values>(parse: () => { readonly values: Values }): Values => {
  try {
    return parse().values
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

/**
 * The value of an option; commas may part its thousands.
 * @throws {UsageError} it is no whole number
 */
export const whole = (name: string, text: string): number => {
  const digits = text.replaceAll(',', '')
  if (/^\d{1,10}$/.test(digits)) return Number(digits)
  throw new UsageError(`--${name} takes a whole number, not '${text}'.`)
}
