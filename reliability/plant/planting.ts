/** A change to the source of the service that is made while it is loaded: nothing of it is ever on the disk. */
export interface Planting {
  /** From the root of the project, with forward slashes. */
  readonly file: string
  /** What is in that file exactly once. */
  readonly find: string
  readonly replace: string
}

/**
 * The source with all that is to be changed in it.
 * @throws {Error} what is to be replaced is not there exactly once: the product has changed, and whoever planted it must
 * look at it again
 */
export const planted = (file: string, source: string, plantings: readonly Planting[]): string => {
  let text = source
  for (const { find, replace } of plantings.filter((planting) => planting.file === file)) {
    const [before, after, ...more] = text.split(find)
    if (find === '' || before === undefined || after === undefined || more.length > 0)
      throw new Error(`${file} has this not exactly once, so nothing can be planted there: ${find}`)
    text = `${before}${replace}${after}`
  }
  return text
}
