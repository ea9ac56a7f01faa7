import { expect, it } from 'vitest'
import { checkPowerLoss } from './check-power-loss.ts'

const STATES = 40

it(`keeps every promise over ${STATES} losses of power`, async () => {
  // Where nothing can be recorded this fails, and says what to install: it must not pass for having been done.
  const figures = await checkPowerLoss({ states: STATES, seed: 1, lives: [700, 300], mails: ['files'] })
  expect(figures).toMatchObject([{ examined: STATES, lost: [] }])
})
