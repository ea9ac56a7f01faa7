import { describe, expect, it } from 'vitest'
import { requireNoOlderInstance, Unavailable } from '../src/index.ts'

const saying = (present: boolean) => ({ olderInstances: { present: async () => present } })

describe('what the release before would not honour', () => {
  it('is refused while an instance of it is there, with what to do', async () => {
    const error = await requireNoOlderInstance(saying(true)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toMatchObject({ name: 'Unavailable', unsure: false, retryAfter: 30_000 })
    expect((error as Error).message).toMatch(/instance of the release before is running.*Nothing was changed; stop/)
  })

  it('is done where none is there, or none can be', async () => {
    await requireNoOlderInstance(saying(false))
    await requireNoOlderInstance({})
  })

  it('is refused where that cannot be found out', async () => {
    const olderInstances = {
      present: async () => {
        throw new Unavailable()
      },
    }
    await expect(requireNoOlderInstance({ olderInstances })).rejects.toBeInstanceOf(Unavailable)
  })
})
