/** A program that is to be run by Node, told to the launcher in a line. */
export interface LaunchOrder {
  readonly id: number
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** What the launcher tells of it, each in a line. */
export type LaunchReport = { readonly id: number } & (
  | { readonly pid: number }
  | { readonly out: string }
  | { readonly err: string }
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
)
