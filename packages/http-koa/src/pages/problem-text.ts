import type { FieldProblem } from '@rollcall/core'
import type { Texts } from './language.ts'

/** What is wrong with a field of a form, to a person; as the problem says it where there are no words for it. */
export const problemText = ({ signUp }: Texts, { field, message }: FieldProblem): string => {
  const told: Readonly<Record<string, string>> = signUp.problem
  return Object.hasOwn(told, field) ? (told[field] ?? message) : message
}
