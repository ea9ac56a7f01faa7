import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Gone after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-app-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
