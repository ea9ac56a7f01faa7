import type { Standing } from '@rollcall/core'
import type { Connection } from '../connection.ts'

const MOST = 2_000

/**
 * What was looked up is so until another connection has committed something, which SQLite tells for less than the
 * look-up costs. Every request with a token asks for a standing; hardly any changes one.
 */
export const rememberedStandings = (
  connection: Connection,
  lookUp: (subject: string) => Standing,
): ((subject: string) => Standing) => {
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const known = new Map<string, Standing>()
  let knownAt: number | undefined
  return (subject) => {
    const now = version.get()
    if (now !== knownAt || known.size >= MOST) {
      known.clear()
      knownAt = now
    }
    const remembered = known.get(subject)
    if (remembered !== undefined || known.has(subject)) return remembered
    const standing = lookUp(subject)
    known.set(subject, standing)
    return standing
  }
}
