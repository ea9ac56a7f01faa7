export type { Difference } from './differences.ts'
export { type MoveOptions, type MoveProgress, type MoveReport, moveData } from './move-data.ts'
export type { MovingEnd, MovingTarget } from './moving-end.ts'
export { valueIn } from './value-in.ts'
