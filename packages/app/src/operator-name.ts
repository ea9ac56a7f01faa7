import { userInfo } from 'node:os'

/** The name of the OS user, for the audit trail; in a container it may have none but its number. */
export const operatorName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
