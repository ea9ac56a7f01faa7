import { expect, it } from 'vitest'
import { memoryDigests, openMemoryService } from '../memory/index.ts'
import { SECOND, Sealer } from '../src/index.ts'
import { putUser } from './cast.ts'

const open = async () => {
  const at = openMemoryService()
  await putUser(at, 'ada')
  const { unitOfWork, readers } = at.storage
  let [units, down] = [0, false]
  const counting: typeof unitOfWork = {
    run: (work) => {
      units++
      return down ? Promise.reject(new Error('down')) : unitOfWork.run(work)
    },
  }
  const digests = memoryDigests('a secret for tests')
  const sealer = new Sealer({ unitOfWork: counting, readers, digests, clock: at.clock })
  return {
    at,
    sealer,
    units: () => units,
    fail: (is: boolean) => {
      down = is
    },
  }
}

it('opens no unit where nothing waits', async () => {
  const { sealer, units } = await open()
  await sealer.seal()
  const before = units()
  expect(before).toBeGreaterThan(0)
  await sealer.seal()
  expect(await sealer.beat()).toBe(true)
  expect(units()).toBe(before)
})

it('beats again a moment after a failure, and not before', async () => {
  const { at, sealer, units, fail } = await open()
  fail(true)
  await expect(sealer.beat()).rejects.toThrow('down')
  const after = units()
  expect(await sealer.beat()).toBe(false)
  expect(units()).toBe(after)
  at.clock.advance(SECOND)
  fail(false)
  await sealer.beat()
  expect(units()).toBeGreaterThan(after)
  expect((await at.storage.readers.audit.head())?.last).toBe(1)
})
