import type { Clock } from '@rollcall/core'
import type { StorageExamination } from '@rollcall/storage-sql/sqlite'
import type { Config } from '../config.ts'
import type { TrustFinding } from '../trusted-files.ts'

/** What a check found. Never holds a secret. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  /** What to do about it; if all is well, what is good to know. */
  readonly remedy: string | undefined
}

export const ok = (message: string, remedy?: string): Finding => ({ status: 'ok', message, remedy })

/** It works, but not as it should in earnest. */
export const warning = (message: string, remedy: string): Finding => ({ status: 'warning', message, remedy })

/** It does not work, or will not be trusted by others. */
export const failed = (message: string, remedy?: string): Finding => ({ status: 'failed', message, remedy })

/** Who can read or change a file, if that is not in order. */
export const trustFinding = ({ refused, message, remedy }: TrustFinding): Finding =>
  refused ? failed(message, remedy) : warning(message, remedy)

/** What others said, as a sentence that another can follow. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** What there is to look at. */
export interface CheckContext {
  /** As the commands have it: with what the service has. */
  readonly config: Config
  /** As it is set here. */
  readonly own: Config
  /** The one that decides: the database's, if it has one. */
  readonly clock: Clock
  /** This machine's. */
  readonly ownClock: Clock
  /** Undefined if it cannot be looked into. */
  readonly storage: StorageExamination | undefined
  /** The same, if it is of the version of this program. */
  readonly current: StorageExamination | undefined
  /** Why it cannot be looked into. */
  readonly storageProblem: Finding | undefined
  /** The address for a test mail. */
  readonly sendTo: string | undefined
  /** An access token to explain. No finding may show any of it. */
  readonly token: string | undefined
}

/** One thing that can be in order or not. Looks, and changes nothing. */
export interface Check {
  readonly name: string
  /** None if there is nothing to look at. */
  run(context: CheckContext): Promise<readonly Finding[]>
}
