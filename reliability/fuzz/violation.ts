import type { Input } from './input.ts'

/** Something that the service must never do. */
export interface Violation {
  /** Which rule was broken: what comes before the first colon is the same for the same rule. */
  readonly problem: string
  /** What it was the answer to; undefined where nobody can tell which of many it was. */
  readonly input: Input | undefined
}

export const ruleOf = (problem: string): string => problem.slice(0, problem.indexOf(':'))
