import { expect, it } from 'vitest'
import { isAsItShould, runSelfTest } from './run-self-test.ts'

const QUICK = ['term-drops-requests', 'half-a-unit', 'deleted-token-accepted', 'normal-sync']

it('finds each of the quickest bugs, and nothing in the unchanged service', async () => {
  const results = await runSelfTest({ seed: 1, only: QUICK })
  expect(results.filter((result) => !isAsItShould(result))).toEqual([])
})
