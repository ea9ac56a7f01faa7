import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fromSource } from '../shared/service.ts'
import { recordService } from './record-service.ts'
import type { Recording } from './recording.ts'
import { runPowerLoss } from './run-power-loss.ts'

const STATES = 40

const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-recording-'))
let recording: Recording
beforeAll(async () => {
  // Fails if nothing can be recorded, and says what to install.
  recording = await recordService({ folder, mail: 'files', durations: [1_200, 600], program: fromSource(), seed: 1 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it(`keeps every promise over ${STATES} losses of power`, async () => {
  const { examined, lost } = await runPowerLoss({ recording, program: fromSource(), states: STATES, seed: 1 })
  expect(lost).toEqual([])
  expect(examined).toBe(STATES)
})

// The check itself: a disk that drops what it was told to keep must be found out.
it('finds that something is lost if no sync takes effect', async () => {
  const operations = recording.operations.map((one) => (one.kind === 'sync' ? { ...one, begun: 0 } : one))
  const lazy = { ...recording, operations }
  const { lost } = await runPowerLoss({ recording: lazy, program: fromSource(), states: STATES, seed: 1, enough: 1 })
  expect(lost.length).toBeGreaterThan(0)
})
