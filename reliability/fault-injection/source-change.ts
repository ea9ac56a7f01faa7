/** A change to the source of the service, made while Node loads it. No file is changed. */
export interface SourceChange {
  /** From the root of the project, with forward slashes. */
  readonly file: string
  /** What is in that file exactly once. White space matches any white space, so that formatting does not matter. */
  readonly find: string
  readonly replace: string
}

/**
 * The source with all its changes.
 * @throws {Error} the text to be replaced is not there exactly once: the product has changed, and so must the change
 */
export const withChanges = (file: string, source: string, changes: readonly SourceChange[]): string => {
  let text = source
  for (const { find, replace } of changes.filter((change) => change.file === file)) {
    const [before, after, ...more] = text.split(patternOf(find))
    if (find === '' || before === undefined || after === undefined || more.length > 0)
      throw new Error(`${file} does not contain this text exactly once, so it cannot be replaced: ${find}`)
    text = `${before}${replace}${after}`
  }
  return text
}

const patternOf = (find: string): RegExp => new RegExp(find.split(/\s+/).map(escaped).join('\\s+'))

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
