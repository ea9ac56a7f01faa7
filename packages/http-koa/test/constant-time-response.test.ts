import { expect, it } from 'vitest'
import { constantTimeResponse } from '../src/middleware/constant-time-response.ts'

type HandlerArguments = Parameters<typeof constantTimeResponse>
const context = {} as HandlerArguments[0]
const timed = async (work: HandlerArguments[1]): Promise<number> => {
  const begin = performance.now()
  await Promise.resolve(constantTimeResponse(context, work)).catch(() => undefined)
  return performance.now() - begin
}

it('takes no less time over what is done at once than over what is refused at once', async () => {
  expect(await timed(async () => undefined)).toBeGreaterThanOrEqual(3)
  expect(await timed(() => Promise.reject(new Error('refused')))).toBeGreaterThanOrEqual(3)
})

it('lets a refusal through as it is', async () => {
  const refusal = new Error('refused')
  await expect(constantTimeResponse(context, () => Promise.reject(refusal))).rejects.toBe(refusal)
})
