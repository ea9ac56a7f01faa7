import type { AccountStatus } from '@rollcall/core'
import type { Connection } from '../connection.ts'

const MOST = 2_000

/**
 * What was looked up stays true until the next commit. This process knows each of its own commits at once;
 * SQLite is asked about those of others once in a turn of the event loop, which is over long before another process can
 * have said that it is done. Every request with a token asks for an account status; hardly any changes one.
 */
export const rememberedAccountStatuses = (
  connection: Connection,
  lookUp: (subject: string) => AccountStatus,
  ownCommits: () => number,
): ((subject: string) => AccountStatus) => {
  const version = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const known = new Map<string, AccountStatus>()
  let knownAt = -1
  let othersAt: number | undefined
  let asked = false
  const forget = (): void => {
    asked = false
  }
  const isOutdated = (): boolean => {
    const own = ownCommits()
    if (asked && own === knownAt) return false
    const others = version.get()
    const outdated = own !== knownAt || others !== othersAt
    knownAt = own
    othersAt = others
    if (!asked) setImmediate(forget)
    asked = true
    return outdated
  }
  return (subject) => {
    if (isOutdated() || known.size >= MOST) known.clear()
    const remembered = known.get(subject)
    if (remembered !== undefined || known.has(subject)) return remembered
    const accountStatus = lookUp(subject)
    known.set(subject, accountStatus)
    return accountStatus
  }
}
