import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

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
  for (const parent of [IN_MEMORY, os.tmpdir()]) sweep(parent)
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

/** Ends what a run that was killed has left behind. */
const sweep = (parent: string): void => {
  for (const name of namesIn(parent)) {
    const owner = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1])
    if (!Number.isInteger(owner) || isAlive(owner)) continue
    const folder = path.join(parent, name)
    for (const file of namesIn(folder, true).filter((one) => path.basename(one) === 'postmaster.pid'))
      end(path.join(folder, file))
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another account's, who will do it.
    }
  }
}

const namesIn = (folder: string, recursive = false): string[] => {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' })
  } catch {
    return []
  }
}

const end = (pidFile: string): void => {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT')
  } catch {
    // It has ended with its run.
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
