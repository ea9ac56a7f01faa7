import { expect, it } from 'vitest'
import { GROUPS } from './groups.ts'
import { runMutants } from './run-mutants.ts'

it('nearly every change of a decision or of the policy is noticed by a test', async () => {
  const { isEnough, report } = await runMutants({ group: GROUPS[0], workers: 2 })
  expect(isEnough, report).toBe(true)
})

it('names the changes that no test notices', async () => {
  const group = { ...GROUPS[0], tests: ['test/backoff.test.ts'] }
  const { report } = await runMutants({ group, file: 'src/access/caller.ts', workers: 1 })
  expect(report).toMatch(/caller\.ts:\d+:\d+\n- .*feeds === undefined \|\| feeds\.includes\(feed\).*\n\+ .*true/)
  expect(report).toMatch(/^All files +\| +0\.00 /m)
})
