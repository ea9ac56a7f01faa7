import { channel } from 'node:diagnostics_channel'

/**
 * Named points of the work, for tests that kill the process there. Publishing costs nothing while there is no
 * subscriber.
 */
export const FAILPOINTS = {
  /** The worker has claimed the mail. */
  beforeSend: channel('rollcall:smtp:before-send'),
  /** The relay has accepted the mail, which is not recorded yet. */
  afterSend: channel('rollcall:smtp:after-send'),
}
