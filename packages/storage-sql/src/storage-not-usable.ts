import { OperatorError } from '@rollcall/platform-node'

/**
 * What stands in the way, for programs. `older-schema`: it must be migrated, or is not there yet. `settings`: the engine does not
 * keep what durability or erasure rests on. `half-moved`: a migration from another database was not finished. `being-moved`: one
 * is under way.
 */
export type StorageProblem =
  | 'already-serving'
  | 'being-moved'
  | 'busy'
  | 'damaged'
  | 'half-moved'
  | 'newer-schema'
  | 'not-accessible'
  | 'not-empty'
  | 'not-synced'
  | 'older-schema'
  | 'server-version'
  | 'settings'
  | 'sqlite-version'

/** The database cannot be used as it is; `message` is for a person and says what to do. */
export class StorageNotUsable extends OperatorError {
  override readonly name = 'StorageNotUsable'
  readonly problem: StorageProblem

  constructor(problem: StorageProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

export class AlreadyServing extends StorageNotUsable {
  constructor(file: string, options?: ErrorOptions) {
    const message = `Another server works on the database ${file}. Stop it first, or give this one its own database.`
    super('already-serving', message, options)
  }
}

/** The disk did not take what was written, and the system may have forgotten which part: a later sync proves nothing. */
export class NotSynced extends StorageNotUsable {
  constructor(file: string, options?: ErrorOptions) {
    const message = `The disk did not take what was written to the database ${file}. Nothing that was answered is lost. Check the disk, then start again: what is not on it yet is written once more.`
    super('not-synced', message, options)
  }
}
