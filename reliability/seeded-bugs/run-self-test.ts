import { SEEDED_BUGS, type SeededBug } from './bugs.ts'
import { CHECKS, type CheckName } from './checks.ts'

export interface SelfTestOrder {
  readonly seed: number
  /** Only these bugs; all unless told otherwise. */
  readonly only?: readonly string[] | undefined
  /** Whether the checks are made of a sound service, too. */
  readonly sound?: boolean | undefined
  readonly tell?: ((line: string) => void) | undefined
}

/** What came of a check. */
export interface SelfTestResult {
  /** Undefined where the service was sound. */
  readonly bug: SeededBug | undefined
  readonly check: CheckName
  readonly found: string | undefined
  readonly seconds: number
}

/** Whether the harness did as it should: found the bug, or found nothing where there is none. */
export const isAsItShould = ({ bug, found }: SelfTestResult): boolean => (bug === undefined) === (found === undefined)

/**
 * Has each check look for the bug that it must find; and, of a sound service, for nothing.
 * @throws {Error} the service has changed, and a bug must be written anew
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

const make = async (check: CheckName, bug: SeededBug | undefined, { seed, tell }: SelfTestOrder) => {
  const began = performance.now()
  const found = await CHECKS[check]({ plantings: bug?.plantings ?? [], seed })
  const result = { bug, check, found, seconds: (performance.now() - began) / 1_000 }
  tell?.(lineOf(result))
  return result
}

/** One result, for a person to read. */
export const lineOf = (result: SelfTestResult): string => {
  const { bug, check, found, seconds } = result
  const verdict = isAsItShould(result) ? 'ok  ' : 'FAIL'
  return `${verdict} ${bug?.name ?? 'nothing planted'}, ${check}, ${seconds.toFixed(1)} s: ${found?.split('\n', 1)[0] ?? 'nothing found'}`
}
