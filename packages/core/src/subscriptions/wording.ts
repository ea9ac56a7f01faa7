import { InvalidInput } from '../errors.ts'
import type { Instant } from '../instant.ts'
import { problemWithText } from '../text.ts'
import { currentWording, type Wording } from './feed.ts'

const LONGEST = 2_000

/**
 * A wording as it is kept: line breaks as LF, and empty if it has no visible text; undefined if not given.
 * @throws {InvalidInput} over 2,000 characters, a control character other than line breaks, or an unpaired surrogate
 */
export const parseWording = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const lines = text.replace(/\r\n?/g, '\n')
  const problem = problemWithText(lines.replaceAll('\n', ' '), LONGEST)
  if (problem !== undefined) throw new InvalidInput([{ field: 'wording', message: problem }])
  return lines.trim() === '' ? '' : lines
}

/**
 * The versions with this one for the last. None is added for the text that is shown already, nor for none where the
 * service's own is shown already.
 */
export const nextWordings = (
  wordings: readonly Wording[],
  text: string | undefined,
  since: Instant,
): readonly Wording[] =>
  text === undefined || text === (currentWording({ wordings })?.text ?? '')
    ? wordings
    : [...wordings, { version: (wordings.at(-1)?.version ?? 0) + 1, text, since }]
