import { durationText, shortInstantText } from '../texts.ts'

const HELD = '`rollcall user list --held` shows who can come back'

/** That what would be deleted could be undone, by which command and for how long; undefined if it could not. */
export const undoable = (grace: number, userId?: string): string | undefined =>
  grace === 0 ? undefined : `${restoring(userId)} undoes it for ${spanText(grace)}; then everything is erased.`

/** The same of what was deleted, until when. */
export const undoableUntil = (erasesAt: string | null | undefined, userId?: string): string | undefined => {
  if (erasesAt === null || erasesAt === undefined) return undefined
  const until = `Until ${shortInstantText(erasesAt)}, ${restoring(userId)} undoes it`
  return userId === undefined ? `${until}: ${HELD}.` : `${until}; then everything is erased.`
}

const restoring = (userId?: string): string => `\`rollcall user restore${userId === undefined ? '' : ` ${userId}`}\``

const spanText = (seconds: number): string => durationText(seconds).replace(/ 0 \w+$/, '')
