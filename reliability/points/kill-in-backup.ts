import type { TrialResult } from '../trial/run-trial.ts'
import type { Scene } from '../trial/scene.ts'
import type { PointOrder } from './run-points.ts'

export const killInBackup = async (_order: PointOrder, _scene: Scene): Promise<TrialResult> => {
  throw new Error('not there yet')
}
