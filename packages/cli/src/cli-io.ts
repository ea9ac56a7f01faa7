import type { Readable, Writable } from 'node:stream'

/** A stream that may lead to a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** All that the command line sees of the process it runs in. */
export interface CliIo {
  readonly stdin: Readable
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** The person wants no colour, terminal or not. */
  readonly noColor: boolean
  /** Standard input and standard error are terminals: a person can be asked. */
  readonly interactive: boolean
  /** Aborted by the first Ctrl-C: finish what is in flight, take nothing new. */
  readonly signal: AbortSignal
}
