import type { Planting } from './planting.ts'

/** A place in the source of the service where it can be killed. */
export interface Place {
  /** From the root of the project, with forward slashes. */
  readonly file: string
  /** What is there exactly once. */
  readonly find: string
  /** What stands there instead, given a statement that kills the process when its time has come. */
  readonly around: (kill: string) => string
  /** What must hold there, as an expression; whatever is in scope may be used. */
  readonly condition?: string
}

/** Where a process that was armed says so to what is planted in it. */
export const ARMED = `globalThis[Symbol.for('reliability.armed')]`

/** What arms a process; it is unarmed at first, so that it can be looked at before. */
export const ARMING_SIGNAL = 'SIGUSR2'

const KILL = `process.kill(process.pid, 'SIGKILL')`

/**
 * `kill -9` at the n-th time that the armed process gets there. Nothing of it runs any more once the call is made: the
 * signal cannot be caught, and is for all threads. `deed` is done instead, where it is more than that.
 */
export const killAt = ({ file, find, around, condition = 'true' }: Place, passage: number, deed = KILL): Planting => {
  const counter = `globalThis[Symbol.for(${JSON.stringify(`passages ${file} ${find}`)})]`
  const isTime = `${ARMED} && (${condition}) && (${counter} = (${counter} ?? 0) + 1) === ${passage}`
  return { file, find, replace: around(`;if (${isTime}) { ${deed} };`) }
}

export const before =
  (statement: string) =>
  (kill: string): string =>
    `${kill} ${statement}`

export const after =
  (statement: string) =>
  (kill: string): string =>
    `${statement}; ${kill}`
