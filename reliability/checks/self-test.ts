import { UsageError } from '../command.ts'
import type { Finding } from '../finding.ts'
import type { Options } from '../options.ts'
import { whyNotTraced } from '../power-loss/recording/recorder.ts'
import type { CheckReport } from '../report.ts'
import { SEEDED_BUGS } from '../seeded-bugs/bugs.ts'
import { isAsItShould, runSelfTest, type SelfTestResult } from '../seeded-bugs/run-self-test.ts'

const LONGEST = 60

/**
 * Whether each check finds the bugs that it must find, which are planted in the service, and nothing in the unchanged
 * service.
 * @throws {UsageError} there is no such bug, or nothing can be recorded here
 */
export const selfTest = async ({ only, seed }: Options, log: (line: string) => void): Promise<CheckReport> => {
  const unknown = only.filter((name) => !SEEDED_BUGS.some((bug) => bug.name === name))
  if (unknown.length > 0)
    throw new UsageError(
      `There is no seeded bug ${unknown}. There are: ${SEEDED_BUGS.map(({ name }) => name).join(', ')}.`,
    )
  const trouble = whyNotTraced()
  if (trouble !== undefined) throw new UsageError(trouble)
  const results = await runSelfTest({ seed, only: only.length > 0 ? only : undefined, log })
  const planted = results.filter(({ bug }) => bug !== undefined)
  const caught = planted.filter(isAsItShould)
  return {
    name: `seeded bugs, ${caught.length} of ${planted.length} found`,
    store: 'sqlite',
    replay: `--self-test --seed ${seed}${only.map((name) => ` --only ${name}`).join('')}`,
    rows: results.map(rowOf),
    findings: results.flatMap(findingsOf),
    failures: planted
      .filter((result) => !isAsItShould(result))
      .map(({ bug, check }) => `the seeded bug ${bug?.name} was not found by ${check}`),
  }
}

const rowOf = ({ bug, check, found, seconds }: SelfTestResult): Record<string, string | number> => ({
  bug: bug?.name ?? '(none)',
  check,
  seconds: Math.round(seconds),
  found: found === undefined ? 'nothing' : cut(found),
})

const cut = (text: string): string => {
  const [line = ''] = text.split('\n', 1)
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** Problems of the unchanged service are findings. */
const findingsOf = ({ bug, check, found }: SelfTestResult): Finding[] =>
  bug === undefined && found !== undefined ? [{ invariant: 'I7', message: `${check}: ${found}`, kill: 0 }] : []
