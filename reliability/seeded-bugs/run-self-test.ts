import { SEEDED_BUGS, type SeededBug } from './bugs.ts'
import { CHECKS, type CheckName } from './checks.ts'

interface SelfTestOrder {
  readonly seed: number
  /** Only these bugs; all unless given. */
  readonly only?: readonly string[] | undefined
  /** Whether the checks also run on the unchanged service. */
  readonly sound?: boolean | undefined
  readonly log?: ((line: string) => void) | undefined
}

/** The result of one check. */
export interface SelfTestResult {
  /** Undefined for the unchanged service. */
  readonly bug: SeededBug | undefined
  readonly check: CheckName
  readonly found: string | undefined
  readonly seconds: number
}

/** Whether the check found the bug, or nothing where there is none. */
export const isAsItShould = ({ bug, found }: SelfTestResult): boolean => (bug === undefined) === (found === undefined)

/**
 * Runs each check on the bug that it must find, and on the unchanged service.
 * @throws {Error} a bug no longer fits the source
 */
export const runSelfTest = async (order: SelfTestOrder): Promise<SelfTestResult[]> => {
  const { only, sound = true } = order
  const bugs = SEEDED_BUGS.filter(({ name }) => only?.includes(name) ?? true)
  const results: SelfTestResult[] = []
  for (const bug of bugs) results.push(await make(bug.check, bug, order))
  if (sound)
    for (const check of new Set(bugs.map((bug) => bug.check))) results.push(await make(check, undefined, order))
  return results
}

const make = async (check: CheckName, bug: SeededBug | undefined, { seed, log }: SelfTestOrder) => {
  const began = performance.now()
  const found = await CHECKS[check]({ changes: bug?.changes ?? [], seed })
  const result = { bug, check, found, seconds: (performance.now() - began) / 1_000 }
  log?.(lineOf(result))
  return result
}

/** One line for a result. */
export const lineOf = (result: SelfTestResult): string => {
  const { bug, check, found, seconds } = result
  const verdict = isAsItShould(result) ? 'ok  ' : 'FAIL'
  return `${verdict} ${bug?.name ?? 'no bug'}, ${check}, ${seconds.toFixed(1)} s: ${found?.split('\n', 1)[0] ?? 'nothing found'}`
}
