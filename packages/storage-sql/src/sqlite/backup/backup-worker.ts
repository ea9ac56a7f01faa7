import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from '../driver.ts'
import { reserveDigest, writeDigest } from './backup-digest.ts'
import { addFiles, bringToDisk, faultsOf, type KeptFile, pointOf } from './backup-file.ts'

/** What the thread is to do. */
export interface BackupTask {
  readonly from: string
  /** An empty file. */
  readonly to: string
  readonly files: readonly KeptFile[]
}

// Milliseconds; waiting in this thread delays no request.
const BUSY_TIMEOUT = 10_000

const copy = (from: string, to: string): void => {
  const source = new Connection(from, { timeout: BUSY_TIMEOUT })
  try {
    // Reads one moment, and writers go on. What was erased, and SQLite has not overwritten yet, is not copied.
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
}

const complete = (to: string, files: readonly KeptFile[]) => {
  const backup = new Connection(to)
  try {
    // No log beside it: a backup is one file.
    backup.pragma('journal_mode = DELETE')
    addFiles(backup, files)
    const place = reserveDigest(backup)
    const faults = faultsOf(backup)
    return { point: pointOf(backup), faults, place }
  } finally {
    backup.close()
  }
}

const { from, to, files } = workerData as BackupTask
copy(from, to)
const { place, ...outcome } = complete(to, files)
writeDigest(to, place)
bringToDisk(to)
parentPort?.postMessage(outcome)
