import { channel } from 'node:diagnostics_channel'

/**
 * Named points of the work, for tests that kill the process there. Publishing costs nothing while there is no
 * subscriber.
 */
export const FAILPOINTS = {
  /** Published with the `ServerResponse`, the status and the body. */
  beforeAnswer: channel('rollcall:http:before-answer'),
}
