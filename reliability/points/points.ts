import type { Failpoint, Injection, Kill } from '../fault-injection/fault-injection.ts'
import type { Step } from '../relay/session.ts'

export type StoreName = 'sqlite' | 'postgres'

/** What kills the service at a point: itself at a failpoint, the relay at a step, or the harness. */
type Killer =
  | { readonly by: 'failpoint'; readonly kill: Omit<Kill, 'passage'>; readonly changes?: Injection['changes'] }
  | { readonly by: 'relay'; readonly step: Step }
  | { readonly by: 'harness'; readonly during: 'drain' | 'checkpoint' | 'backup' | 'migration' }

/** A point in the service's work where it is killed. */
export interface Point {
  readonly name: string
  readonly killer: Killer
  /** At how many passages it is killed at most; few where they are rare. */
  readonly passages: number
}

const failpoint = (channel: string, more: Omit<Kill, 'passage' | 'channel'> = {}): Killer => ({
  by: 'failpoint',
  kill: { channel: `rollcall:${channel}`, ...more },
})

const statement = (store: StoreName, matching: string): Killer => failpoint(`${store}:after-statement`, { matching })

/** Many checkpoints, each of a few pages, instead of one for each 64 MiB. */
const FREQUENT_CHECKPOINTS = [
  ['LONG_BACKLOG = 16_000', 'LONG_BACKLOG = 60'],
  ['SHORT_BACKLOG = 200', 'SHORT_BACKLOG = 1'],
].map(([find = '', replace = '']) => ({
  file: 'packages/storage-sql/src/sqlite/checkpointer.ts',
  find: `const ${find}`,
  replace: `const ${replace}`,
}))

/** Its thread brings the log into the database file meanwhile, which takes some milliseconds. */
const SQLITE_CHECKPOINT: Killer = {
  by: 'failpoint',
  kill: { channel: 'rollcall:sqlite:during-checkpoint', within: 3 },
  changes: FREQUENT_CHECKPOINTS,
}

/** What is killed in each store. PostgreSQL makes its checkpoints itself, so there the harness asks for one. */
const OF_STORE = {
  sqlite: {
    begin: failpoint('sqlite:after-begin'),
    beforeCommit: failpoint('sqlite:before-commit'),
    commit: failpoint('sqlite:after-commit'),
    checkpoint: SQLITE_CHECKPOINT,
  },
  postgres: {
    begin: statement('postgres', '^BEGIN'),
    beforeCommit: failpoint('postgres:before-commit'),
    commit: statement('postgres', '^COMMIT'),
    checkpoint: { by: 'harness', during: 'checkpoint' },
  },
} as const satisfies Record<StoreName, Record<string, Killer>>

/** Every point that there is in this store. PostgreSQL is backed up by its own means. */
export const pointsOf = (store: StoreName): readonly Point[] => {
  const { begin, beforeCommit, commit, checkpoint } = OF_STORE[store]
  const backup: Point = { name: 'in the middle of a backup', killer: { by: 'harness', during: 'backup' }, passages: 12 }
  return [
    { name: 'after BEGIN', killer: begin, passages: 12 },
    { name: 'after the row', killer: statement(store, 'INSERT INTO subscription '), passages: 12 },
    { name: 'after the outbox entry', killer: statement(store, '^INSERT INTO outbox'), passages: 12 },
    { name: 'before COMMIT', killer: beforeCommit, passages: 12 },
    { name: 'after COMMIT, before the answer', killer: commit, passages: 12 },
    { name: 'answer half written', killer: failpoint('http:before-answer', { halfAnswered: true }), passages: 12 },
    { name: 'after the claim', killer: failpoint('smtp:before-send'), passages: 3 },
    { name: 'after connecting to the relay', killer: { by: 'relay', step: 'connect' }, passages: 3 },
    { name: 'after RCPT', killer: { by: 'relay', step: 'RCPT' }, passages: 6 },
    { name: 'in the middle of DATA', killer: { by: 'relay', step: 'body' }, passages: 6 },
    { name: 'after the dot, before 250', killer: { by: 'relay', step: 'dot' }, passages: 6 },
    { name: 'after 250, before it is marked', killer: failpoint('smtp:after-send'), passages: 12 },
    { name: 'in the middle of a checkpoint', killer: checkpoint, passages: 3 },
    { name: 'in the middle of a migration', killer: { by: 'harness', during: 'migration' }, passages: 12 },
    ...(store === 'sqlite' ? [backup] : []),
    { name: 'while SIGTERM drains', killer: { by: 'harness', during: 'drain' }, passages: 12 },
  ]
}

/** At its n-th statement, from the very first start on; what Kysely does for itself is not counted. */
export const inMigration = (store: StoreName, passage: number): Kill => ({
  channel: `rollcall:${store}:after-migration-statement`,
  matching: '^(?:ALTER|CREATE|DROP|INSERT|UPDATE)',
  passage,
  armed: true,
})

/** The failpoints at which the service is killed in this store, by the names of the points. */
export const failpointsOf = (store: StoreName): readonly Failpoint[] => {
  const points = pointsOf(store).flatMap(({ name, killer }) =>
    killer.by === 'failpoint' ? [{ name, ...killer.kill }] : [],
  )
  return [...points, { name: 'in the middle of a migration', ...inMigration(store, 1) }]
}

/** The changes that make every failpoint likely to be reached soon. */
export const changesFor = (store: StoreName): NonNullable<Injection['changes']> =>
  pointsOf(store).flatMap(({ killer }) => (killer.by === 'failpoint' ? (killer.changes ?? []) : []))
