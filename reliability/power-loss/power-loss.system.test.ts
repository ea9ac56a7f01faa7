import { expect, it } from 'vitest'
import { checkPowerLoss } from './check-power-loss.ts'

const STATES = 40

it(`keeps every promise over ${STATES} losses of power`, async () => {
  // Fails where nothing can be recorded, and says what to install.
  const figures = await checkPowerLoss({ states: STATES, seed: 1, durations: [700, 300], mails: ['files'] })
  expect(figures).toMatchObject([{ examined: STATES, lost: [] }])
})
