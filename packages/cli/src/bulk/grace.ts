import { shellWord } from '@rollcall/core'
import { durationText, shortInstantText } from '../texts.ts'

const HELD = '`rollcall user list --held` shows who can come back'

const NOTHING = 'Nothing undoes it.'

/** What undoes a deletion that is to come, and for how long. */
export const undoable = (grace: number, userId?: string): string =>
  grace === 0 ? NOTHING : `${restoring(userId)} undoes it for ${spanText(grace)}; then everything is erased.`

/** The same of what was deleted, until when. */
export const undoableUntil = (erasesAt: string | null | undefined, userId?: string): string => {
  if (erasesAt === null || erasesAt === undefined) return NOTHING
  const until = `Until ${shortInstantText(erasesAt)}, ${restoring(userId)} undoes it`
  return userId === undefined ? `${until}: ${HELD}.` : `${until}; then everything is erased.`
}

const restoring = (userId?: string): string =>
  `\`rollcall user restore${userId === undefined ? '' : ` ${shellWord(userId)}`}\``

const spanText = (seconds: number): string => durationText(seconds).replace(/ 0 \w+$/, '')
