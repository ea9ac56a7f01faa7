import type { DatabaseServer } from './database-server.ts'

export type Store = 'sqlite' | 'postgres'

/** Concurrent ones, unless a case has fewer. */
export const CONNECTIONS = 50

export interface Setting {
  /** A folder on a real disk. */
  readonly scratch: string
  readonly seconds: number
  readonly warmup: number
  /** Of subscriptions, in the cases that need many. */
  readonly rows: number
  /** What servers are started with, beside their settings. */
  readonly environment: NodeJS.ProcessEnv
  /** Started when it is first asked for. */
  readonly database: () => Promise<DatabaseServer>
}

/** A packed product. */
export interface Product {
  readonly name: string
  /** Its command. */
  readonly program: string
  readonly store: Store
}

/** What a turn found, by the heads of the columns. A head that begins with `!` counts what must not be. */
export type Figures = Readonly<Record<string, number>>

/** Done as often as there are turns. */
export type Turn = () => Promise<Figures>
