import type { Planting } from './planting.ts'

/** A place in the source of the service. */
export interface Place {
  readonly file: string
  /** What is there exactly once; whole statements. */
  readonly find: string
  /** Whether the process dies before it or after it. */
  readonly when: 'before' | 'after'
}

/** `kill -9` at the n-th time that the process (each of its threads by itself) gets there. */
export const killAt = ({ file, find, when }: Place, passage: number): Planting => {
  const counter = `globalThis[Symbol.for(${JSON.stringify(`passages ${file} ${find}`)})]`
  // Nothing runs any more once the call is made: the signal cannot be caught, and is for the whole process.
  const kill = `if ((${counter} = (${counter} ?? 0) + 1) === ${passage}) process.kill(process.pid, 'SIGKILL');`
  return { file, find, replace: when === 'before' ? `;${kill} ${find}` : `${find}; ${kill}` }
}
