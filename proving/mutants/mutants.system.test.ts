import { expect, it } from 'vitest'
import { GROUPS } from './groups.ts'
import { runMutants, scoreOf } from './run-mutants.ts'

it('nearly every change of a decision or of the policy is noticed by a test', async () => {
  const [decisions] = GROUPS
  const scores = await runMutants({ group: decisions, workers: 2 })
  const survivors = scores.flatMap((score) => score.survivors)
  expect(scoreOf(scores), survivors.join('\n')).toBeGreaterThanOrEqual(decisions.bar)
})

it('names the changes that no test notices', async () => {
  const group = { ...GROUPS[0], tests: ['test/backoff.test.ts'] }
  const scores = await runMutants({ group, file: 'src/access/caller.ts', workers: 1 })
  expect(scoreOf(scores)).toBe(0)
  expect(scores.flatMap(({ survivors }) => survivors)).toContainEqual(
    expect.stringMatching(/caller\.ts:\d+ {2}feeds === undefined \|\| feeds\.includes\(feed\) {2}=> {2}true$/),
  )
})
