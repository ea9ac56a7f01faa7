import { type FieldProblem, InvalidInput } from './errors.ts'

type Parsers = Readonly<Record<string, () => unknown>>
type Parsed<P extends Parsers> = { readonly [Name in keyof P]: ReturnType<P[Name]> }

/**
 * Reads every field, so that the caller gets all problems at once.
 * @throws {InvalidInput} with the problems of every field that has one
 */
export const readAll = <P extends Parsers>(parsers: P): Parsed<P> => {
  const parsed: Record<string, unknown> = {}
  const problems: FieldProblem[] = []
  for (const name in parsers) {
    try {
      parsed[name] = parsers[name]?.()
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      problems.push(...error.details)
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems)
  return parsed as Parsed<P>
}
