/** Where they are, as `ROLLCALL_DATABASE_URL` would have it. */
export interface DataMigrationOrder {
  readonly from: string
  readonly to: string
}

/** What became of a move of the data from one database to another. */
export interface DataMigrationOutcome {
  /** As a person knows them; without passwords. */
  readonly from: string
  readonly to: string
  /** It went on where another run had stopped. */
  readonly resumed: boolean
  /** It was stopped before the end; to be run again. */
  readonly interrupted: boolean
  /** Rows that this run copied. */
  readonly copied: number
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  /** Rows of the target that are not as the source has them: the first of them. */
  readonly differences: readonly {
    readonly table: string
    readonly key: readonly (string | number | null)[]
    /** `missing`: only the source has it; `surplus`: only the target; `column`: they are of different values. */
    readonly kind: 'column' | 'missing' | 'surplus'
    readonly column?: string
  }[]
  /** The trail of the target, recomputed; undefined if it did not come to that. */
  readonly audit: { readonly records: number; readonly broken: number | null } | undefined
}

export interface DataMigrationProgress {
  readonly doing: 'copying' | 'comparing'
  readonly rows: number
  readonly total: number
}

/** What a database holds. */
export interface RestorePoint {
  /** It holds what was answered up to this record of the audit trail and this event; 0 if there was none. */
  readonly auditRecord: number
  readonly event: number
  readonly subscriptions: number
  readonly users: number
}

export interface BackupOrder {
  readonly file: string
  /** In place of a file of this name. */
  readonly replace: boolean
  /** With the secret, the link keys and the signing keys. */
  readonly keys: boolean
}

/** A copy of the database that was made, and found sound. */
export interface BackupOutcome extends RestorePoint {
  readonly file: string
  readonly bytes: number
  /** What of the data folder went with it, such as `secret`. */
  readonly files: readonly string[]
  /** What of the data folder a restore needs besides: it is not in the backup. */
  readonly elsewhere: readonly string[]
  /** Where the secret is, without which the backup is of no use: in it, not asked for, or not in the data folder. */
  readonly secret: 'held' | 'left-out' | 'environment' | 'missing'
}

/** What a restore, or the check of a backup, is at. */
export type BackupStep = 'checking' | 'comparing' | 'completing' | 'copying' | 'examining' | 'updating'

export interface VerifyOrder {
  readonly file: string
  /** Tables, triggers and views of the host's own that may be in it. */
  readonly own: readonly string[]
  readonly onStep: (step: BackupStep) => void
}

/** Whether the bytes of a backup were found to match the digest in it; `none` if its table was removed. */
export type BackupDigest = 'none' | 'same'

/** A backup that a restore would take. */
export interface VerifyOutcome extends RestorePoint {
  readonly file: string
  readonly bytes: number
  readonly digest: BackupDigest
  /** What of the data folder went with it, such as `secret`. */
  readonly files: readonly string[]
}

/** What a restore is about to do; nothing is replaced yet. */
export interface RestorePlan {
  readonly file: string
  readonly backup: RestorePoint
  readonly digest: BackupDigest
  /** What the database holds that goes; `none` if there is no database, `unreadable` if it cannot be read. */
  readonly replaced: 'none' | 'unreadable' | RestorePoint
  /** What was withdrawn after the backup was made, and is taken out of it. */
  readonly reapplied: {
    readonly users: number
    readonly erased: number
    readonly ended: number
    readonly suppressions: number
  }
  /** Set if the replaced database does not say all by itself. */
  readonly caution: 'branched' | 'pruned' | undefined
  /** Files that were to say what was withdrawn, and have nothing of after the backup. */
  readonly silent: readonly string[]
  /** Whether audit records alone say it, which do not know all. */
  readonly recordsOnly: boolean
  /** Keys that are neither here nor in the backup: which, and what that costs. */
  readonly lacking: readonly string[]
}

export interface RestoreOrder {
  readonly file: string
  /** Files with events or audit records of after the backup. */
  readonly withdrawals: readonly string[]
  /** Go on if it is not known what was deleted since. */
  readonly regardless: boolean
  /** Where the database goes that is replaced. */
  readonly keep: string | undefined
  /** Tables, triggers and views of the host's own that may be in the backup. */
  readonly own: readonly string[]
  readonly onStep: (step: BackupStep) => void
}

export interface RestoreOutcome extends RestorePlan {
  /** What of the data folder came back with it, such as `secret`. */
  readonly files: readonly string[]
  /** Where the database is that was replaced; undefined if it is gone, or there was none. */
  readonly kept: string | undefined
}

/** What the command line asks of the databases as a whole. */
export interface StorageHost {
  /**
   * Makes one database the same as another, and checks it.
   * @throws {CliError} one of them cannot be used for it
   */
  migrateData(
    order: DataMigrationOrder,
    options: { readonly onProgress: (progress: DataMigrationProgress) => void; readonly signal: AbortSignal },
  ): Promise<DataMigrationOutcome>
  /**
   * Copies the database as it is, beside a running server.
   * @throws {CliError} it cannot be copied, or not there
   */
  backUp(
    order: BackupOrder,
    options: { readonly onProgress: (bytes: number, total: number) => void; readonly signal: AbortSignal },
  ): Promise<BackupOutcome>
  /**
   * Looks whether a backup is as it was written; nothing is changed.
   * @throws {CliError} it is damaged, was changed, or is no backup
   */
  verifyBackup(order: VerifyOrder): Promise<VerifyOutcome>
  /**
   * Puts a backup in place of the database, without what was withdrawn since.
   * @param agree awaited before anything is replaced; throws to refuse
   * @throws {CliError} it cannot be restored, or it is not known what was deleted since
   */
  restore(order: RestoreOrder, agree: (plan: RestorePlan) => Promise<void>): Promise<RestoreOutcome>
}
