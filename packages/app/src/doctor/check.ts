import type { Clock } from '@rollcall/core'
import type { StorageExamination } from '@rollcall/storage-sql/sqlite'
import type { Config } from '../config.ts'
import type { Finding } from './finding.ts'

/** What there is to look at. */
export interface Patient {
  readonly config: Config
  readonly clock: Clock
  /** Undefined where it cannot be looked into. */
  readonly storage: StorageExamination | undefined
  /** Why not. */
  readonly storageProblem: Finding | undefined
  /** Where a test mail shall go. */
  readonly sendTo: string | undefined
}

/** One thing that can be in order or not. Looks, and changes nothing. */
export interface Check {
  readonly name: string
  /** None where there is nothing to look at. */
  run(patient: Patient): Promise<readonly Finding[]>
}
