import { hasErrorCode } from './error-code.ts'

/** Whether there is a process with this id. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's process is one, too.
    return hasErrorCode(error, 'EPERM')
  }
}
