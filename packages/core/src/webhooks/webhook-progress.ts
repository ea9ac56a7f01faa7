import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../instant.ts'
import type { Position } from '../page.ts'

/** How far a target has received the events, and how well deliveries succeed. */
export interface WebhookProgress {
  /** Every event up to here is delivered, or queued by itself, or not wanted. */
  readonly cursor: Position
  /** How many deliveries in a row have failed, and not by the event alone. */
  readonly failures: number
  /** When the first delivery after the last that got through did not; undefined if there was none. */
  readonly failingSince: Instant | undefined
  /** Until then nothing is sent to it, and what is behind the cursor is not due before; 0 if nothing failed. */
  readonly pausedUntil: Instant
}

/** After so many failures in a row the target counts as unreachable. */
const PAUSE_AFTER = 5
const SHORTEST_PAUSE = 1 * SECOND
const LONGEST_PAUSE = 1 * MINUTE
/** Longer than any event waits for its next try: what failed before says nothing of the time between. */
const FORGET_AFTER = 2 * HOUR
/** Longer than a single event is tried, so that one which a target cannot take does not cost it all others. */
const GIVE_UP_AFTER = 3 * DAY

/** Whether it is to be left in peace but for one try at a time. */
export const isUnwell = ({ failures }: WebhookProgress): boolean => failures >= PAUSE_AFTER

/** Whether it has failed for so long, and often enough in all that time, that it is not to be tried any more. */
export const isGivenUpOn = (progress: WebhookProgress, now: Instant): boolean =>
  isUnwell(progress) && progress.failingSince !== undefined && now - progress.failingSince >= GIVE_UP_AFTER

/**
 * After one more failure: a target that keeps failing is given more and more time, with random jitter of half of it. What
 * was under way when it began to rest says nothing new: however many fail together, the first rest is a short one.
 */
export const afterFailure = (
  progress: WebhookProgress,
  { isProbe, at, fraction }: { readonly isProbe: boolean; readonly at: Instant; readonly fraction: number },
): WebhookProgress => {
  if (isUnwell(progress) && !isProbe) return progress
  const failures = progress.failures + 1
  const pause = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** Math.max(0, failures - PAUSE_AFTER))
  const until = at + (failures < PAUSE_AFTER ? 0 : Math.round(pause / 2 + (pause / 2) * fraction))
  const failingSince = Math.min(progress.failingSince ?? at, at)
  return { ...progress, failures, failingSince, pausedUntil: isProbe ? until : Math.max(until, progress.pausedUntil) }
}

/**
 * After an event that it refuses, and may take others: it need not rest. If it takes none, as with a token that has
 * expired, somebody must see that.
 */
export const afterRefusal = (
  progress: WebhookProgress,
  { isProbe, at }: { readonly isProbe: boolean; readonly at: Instant },
): WebhookProgress => ({
  ...progress,
  failures: 0,
  failingSince: Math.min(progress.failingSince ?? at, at),
  pausedUntil: isProbe ? at : Math.max(at, progress.pausedUntil),
})

/** After one more success; what was under way when it began to rest does not end that. The very same if nothing failed. */
export const afterSuccess = (
  progress: WebhookProgress,
  { isProbe, at }: { readonly isProbe: boolean; readonly at: Instant },
): WebhookProgress => {
  if (isProbe) return recovered(progress, at)
  return progress.failingSince === undefined ? progress : { ...progress, failures: 0, failingSince: undefined }
}

/** At least until then, as the target asks. */
export const restingUntil = (progress: WebhookProgress, until: Instant): WebhookProgress =>
  until <= progress.pausedUntil ? progress : { ...progress, pausedUntil: until }

/** Of a target that was sent nothing yet. */
export const NOTHING_FAILED: WebhookProgress = { cursor: 0, failures: 0, failingSince: undefined, pausedUntil: 0 }

/** As if it had never failed; what is behind its cursor is due from then on. */
export const recovered = (progress: WebhookProgress, pausedUntil: Instant): WebhookProgress => ({
  ...progress,
  failures: 0,
  failingSince: undefined,
  pausedUntil,
})

/** As it counts now, before more is sent, or known of what was. The very same if nothing failed, or not long ago. */
export const remembered = (progress: WebhookProgress, now: Instant): WebhookProgress => {
  const { failingSince, pausedUntil } = progress
  return failingSince !== undefined && now - pausedUntil > FORGET_AFTER ? recovered(progress, pausedUntil) : progress
}

/** As it is to begin anew behind an earlier event. What is sent again was not due before. */
export const setBack = (progress: WebhookProgress, cursor: Position, now: Instant): WebhookProgress => {
  const kept = remembered(progress, now)
  return { ...kept, cursor, pausedUntil: Math.max(kept.pausedUntil, now) }
}
