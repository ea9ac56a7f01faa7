import { InvalidInput } from '../errors.ts'
import { problemWithText } from '../text.ts'

const LONGEST = 200

/**
 * A name as a person wrote it, kept exactly; empty if not given.
 * @throws {InvalidInput} over 200 code points, a control character, or an unpaired surrogate
 */
export const parsePersonName = (name: string): string => {
  const problem = problemWithText(name, LONGEST)
  if (problem !== undefined) throw new InvalidInput([{ field: 'name', message: problem }])
  return name
}
