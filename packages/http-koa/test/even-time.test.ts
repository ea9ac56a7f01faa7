import { expect, it } from 'vitest'
import { evenTime } from '../src/steps/even-time.ts'

type StepArguments = Parameters<typeof evenTime>
const nobody = {} as StepArguments[0]
const timed = async (work: StepArguments[1]): Promise<number> => {
  const begin = performance.now()
  await Promise.resolve(evenTime(nobody, work)).catch(() => undefined)
  return performance.now() - begin
}

it('takes no less time over what is done at once than over what is refused at once', async () => {
  expect(await timed(async () => undefined)).toBeGreaterThanOrEqual(3)
  expect(await timed(() => Promise.reject(new Error('refused')))).toBeGreaterThanOrEqual(3)
})

it('lets a refusal through as it is', async () => {
  const refusal = new Error('refused')
  await expect(evenTime(nobody, () => Promise.reject(refusal))).rejects.toBe(refusal)
})
