import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { removeLeftovers } from '../../packages/storage-sql/test/postgres-server/leftovers.ts'

const KNOWN = 'TESTS_SCRATCH_FOLDER'
const PREFIX = 'rollcall-tests-'
const IN_MEMORY = '/dev/shm'
const ENOUGH = 2 ** 30

/**
 * A folder for everything that the tests of this process write, gone when the process ends. In memory where there is
 * enough of it: tests make and remove files by the ten thousand, which on some disks is most of what they do.
 */
export const scratchFolder = (): string => {
  // Vitest reads its configuration once for each project.
  const known = process.env[KNOWN]
  if (known !== undefined) return known
  for (const parent of [IN_MEMORY, os.tmpdir()]) removeLeftovers(parent, PREFIX)
  const folder = inMemory() ?? make(os.tmpdir())
  process.env[KNOWN] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const make = (parent: string): string => {
  const folder = mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`))
  // What is run as another user must be able to pass.
  chmodSync(folder, 0o711)
  return folder
}

const inMemory = (): string | undefined => {
  if (process.platform !== 'linux') return undefined
  let folder: string | undefined
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (Math.min(bavail * bsize, process.availableMemory() / 2) < ENOUGH) return undefined
    folder = make(IN_MEMORY)
    const program = path.join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    if (spawnSync(program).status === 0) return folder
  } catch {
    // It is not there, or not for this user.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  return undefined
}
