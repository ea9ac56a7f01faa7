import type { Finding } from '../../finding.ts'

/** A promise that is broken on one disk. */
export type Problem = Pick<Finding, 'invariant' | 'message'>
