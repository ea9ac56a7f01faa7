import { killAt, type Place } from '../plant/kill-at.ts'
import type { Planting } from '../plant/planting.ts'
import type { Step } from '../relay/fault.ts'
import {
  AFTER_BEGIN,
  AFTER_CLAIM,
  AFTER_COMMIT,
  AFTER_OUTBOX,
  AFTER_ROW,
  ANSWERING,
  BEFORE_MARK,
  CHECKPOINTING,
  HALF_AN_ANSWER,
  IN_A_MOMENT,
  OFTEN,
} from './places.ts'

export type StoreName = 'sqlite' | 'postgres'

/** Who kills the service at a point: what is planted in it, the relay at a step, or the harness. */
export type Killer =
  | { readonly by: 'planting'; readonly plantings: (store: StoreName, passage: number) => readonly Planting[] }
  | { readonly by: 'relay'; readonly step: Step }
  | { readonly by: 'harness'; readonly during: 'drain' | 'checkpoint' | 'backup' | 'migration' }

/** A place in the service's work where it is killed. */
export interface Point {
  readonly name: string
  readonly killer: Killer
  /** At how many passages it is killed at most; few where they are rare. */
  readonly passages: number
}

const planted = (places: Readonly<Record<StoreName, Place>>, deed?: string): Killer => ({
  by: 'planting',
  plantings: (store, passage) => [killAt(places[store], passage, deed)],
})

/** PostgreSQL does its checkpoints itself: there the harness has it do one. */
const checkpointing: Killer = {
  by: 'planting',
  plantings: (_, passage) => [...OFTEN, killAt(CHECKPOINTING, passage, IN_A_MOMENT)],
}

const POINTS: readonly Point[] = [
  { name: 'after BEGIN', killer: planted(AFTER_BEGIN), passages: 12 },
  { name: 'after the row', killer: planted(AFTER_ROW), passages: 12 },
  { name: 'after the outbox entry', killer: planted(AFTER_OUTBOX), passages: 12 },
  { name: 'after COMMIT, before the answer', killer: planted(AFTER_COMMIT), passages: 12 },
  { name: 'answer half written', killer: planted(ANSWERING, HALF_AN_ANSWER), passages: 12 },
  { name: 'after the claim', killer: planted(AFTER_CLAIM), passages: 3 },
  { name: 'after connecting to the relay', killer: { by: 'relay', step: 'connect' }, passages: 3 },
  { name: 'after RCPT', killer: { by: 'relay', step: 'RCPT' }, passages: 6 },
  { name: 'in the middle of DATA', killer: { by: 'relay', step: 'body' }, passages: 6 },
  { name: 'after the dot, before 250', killer: { by: 'relay', step: 'dot' }, passages: 6 },
  { name: 'after 250, before it is marked', killer: planted(BEFORE_MARK), passages: 12 },
  { name: 'in the middle of a checkpoint', killer: checkpointing, passages: 3 },
  { name: 'in the middle of a migration', killer: { by: 'harness', during: 'migration' }, passages: 12 },
  { name: 'in the middle of a backup', killer: { by: 'harness', during: 'backup' }, passages: 12 },
  { name: 'while SIGTERM drains', killer: { by: 'harness', during: 'drain' }, passages: 12 },
]

const ofItsOwn: Killer = { by: 'harness', during: 'checkpoint' }

/** Every point that there is in this store. PostgreSQL is backed up by its own means. */
export const pointsOf = (store: StoreName): readonly Point[] =>
  store === 'sqlite'
    ? POINTS
    : POINTS.map((point) => (point.killer === checkpointing ? { ...point, killer: ofItsOwn } : point)).filter(
        ({ killer }) => !(killer.by === 'harness' && killer.during === 'backup'),
      )
