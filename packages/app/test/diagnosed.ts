import type { Diagnosis } from '@rollcall/cli'
import { expect } from 'vitest'
import { diagnose } from '../src/doctor/diagnose.ts'

/** What a check of the doctor finds, as one text for each finding, and all that any finds. */
export const diagnosed = async (check: string, order: Parameters<typeof diagnose>[0]) => {
  const found: Diagnosis[] = []
  for await (const each of diagnose(order)) found.push(each)
  const texts = found
    .filter((each) => each.check === check)
    .map(({ status, message, remedy }) => `${status}: ${message} ${remedy ?? ''}`.trim())
  return { texts, all: JSON.stringify(found) }
}

/** One or several texts, each as it is or as it matches. */
export const alike = (expected: unknown): unknown[] =>
  [expected].flat().map((one) => (one instanceof RegExp ? expect.stringMatching(one) : one))
