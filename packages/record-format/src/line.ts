/** A line of a file, without its end. */
export interface Line {
  /** 1 for the first. */
  readonly number: number
  readonly text: string
  /** Why its text is of no use; undefined where it is. */
  readonly problem: string | undefined
}

/** Bytes that one row may have. */
export const LONGEST_ROW = 64 * 1024

export const isBlank = ({ text, problem }: Line): boolean => problem === undefined && text.trim() === ''
