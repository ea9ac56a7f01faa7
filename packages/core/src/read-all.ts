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

type Readers<Fields> = { readonly [Name in keyof Fields]?: (value: Exclude<Fields[Name], undefined>) => unknown }
type Read<R> = { readonly [Name in keyof R]?: R[Name] extends (value: never) => infer Result ? Result : never }

/**
 * Reads those fields that are given, null included; the others are not in the result.
 * @throws {InvalidInput} with the problems of every field that has one
 */
export const readGiven = <Fields extends object, R extends Readers<Fields>>(fields: Fields, readers: R): Read<R> =>
  readAll(
    Object.fromEntries(
      Object.entries<unknown>(readers).flatMap(([name, read]) => {
        const value: unknown = fields[name as keyof Fields]
        return value === undefined ? [] : [[name, () => (read as (value: unknown) => unknown)(value)]]
      }),
    ),
  ) as Read<R>
