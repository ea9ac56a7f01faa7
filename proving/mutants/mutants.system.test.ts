import { expect, it } from 'vitest'
import { GROUPS } from './groups.ts'
import { runMutants, scoreOf } from './run-mutants.ts'

it('nearly every change of a decision or of the policy is noticed by a test', async () => {
  const [decisions] = GROUPS
  const scores = await runMutants({ group: decisions, workers: 2 })
  const survivors = scores.flatMap((score) => score.survivors)
  expect(scoreOf(scores), survivors.join('\n')).toBeGreaterThanOrEqual(decisions.bar)
})
