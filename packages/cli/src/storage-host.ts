/** What became of a move of the data from one database to another. */
export interface MoveOutcome {
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
  /** The trail of the target, recomputed; undefined where it did not come to that. */
  readonly audit: { readonly records: number; readonly broken: number | null } | undefined
}

export interface MoveProgress {
  readonly doing: 'copying' | 'comparing'
  readonly rows: number
  readonly total: number
}

/** What the command line asks of the databases as a whole. */
export interface StorageHost {
  /**
   * Makes one database the same as another, and sees that it is.
   * @param order `from`, `to`: where they are, as `ROLLCALL_DATABASE_URL` would have it
   * @throws {CliError} one of them cannot be used for it
   */
  moveData(
    order: { readonly from: string; readonly to: string },
    options: { readonly onProgress: (progress: MoveProgress) => void; readonly signal: AbortSignal },
  ): Promise<MoveOutcome>
}
