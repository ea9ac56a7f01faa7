import { expect, it } from 'vitest'
import { constantTimeResponse } from '../src/middleware/constant-time-response.ts'

type HandlerArguments = Parameters<typeof constantTimeResponse>
const context = {} as HandlerArguments[0]
const timed = async (work: HandlerArguments[1]): Promise<number> => {
  const begin = performance.now()
  await Promise.resolve(constantTimeResponse(context, work)).catch(() => undefined)
  return performance.now() - begin
}

it('takes at least its minimum time, for an answer and for a refusal', async () => {
  expect(await timed(async () => undefined)).toBeGreaterThanOrEqual(3)
  expect(await timed(() => Promise.reject(new Error('refused')))).toBeGreaterThanOrEqual(3)
})

it('passes an error through unchanged', async () => {
  const refusal = new Error('refused')
  await expect(constantTimeResponse(context, () => Promise.reject(refusal))).rejects.toBe(refusal)
})
