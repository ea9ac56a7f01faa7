import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const CLOCK_TICKS = 100
const hasProc = existsSync('/proc/self/stat')

/** What the kernel says of a process; undefined if it has ended, or the system does not say. */
const read = (pid: number, file: string): string | undefined => {
  try {
    return hasProc ? readFileSync(`/proc/${pid}/${file}`, 'utf8') : undefined
  } catch {
    return undefined
  }
}

const megabytes = (pid: number, field: 'VmRSS' | 'VmHWM' | 'RssAnon' | 'VmSwap'): number =>
  (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(pid, 'status') ?? '')?.[1] ?? Number.NaN) * 1_024) / 1e6

/** Megabytes that a process has resident. NaN if the system does not say, as all of these. */
export const resident = (pid: number): number => megabytes(pid, 'VmRSS')

/** Megabytes that are its own, and no pages of files: those the kernel takes away and brings back as it likes. */
export const own = (pid: number): number => megabytes(pid, 'RssAnon') + megabytes(pid, 'VmSwap')

/** Megabytes that it had resident at most, since its start or `forgetPeak`. */
export const peak = (pid: number): number => megabytes(pid, 'VmHWM')

/** @see proc_pid_clear_refs(5) */
export const forgetPeak = (pid: number): void => {
  if (hasProc) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The fields behind the name, which is in brackets and may hold anything. @see proc_pid_stat(5) */
const fieldsOf = (pid: number): number[] | undefined =>
  read(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
    .map(Number)
const [PARENT, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM] = [1, 11, 12, 13, 14]

const seconds = (pid: number, ...fields: readonly number[]): number => {
  const found = fieldsOf(pid)
  return fields.reduce((sum, field) => sum + (found?.[field] ?? Number.NaN), 0) / CLOCK_TICKS
}

/** Seconds of a processor that a process and its threads have used. */
export const busy = (pid: number): number => seconds(pid, USER, SYSTEM)

/** The same with its children, those that have ended included. */
export const busyTree = (pid: number): number => {
  const alive = childrenOf(pid)
    .map(busy)
    .filter((time) => !Number.isNaN(time))
  return seconds(pid, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM) + alive.reduce((sum, time) => sum + time, 0)
}

/**
 * Seconds in which its main thread was ready to run but something else had its core.
 * @see https://docs.kernel.org/scheduler/sched-stats.html
 */
export const denied = (pid: number): number => Number(read(pid, 'schedstat')?.split(' ')[1] ?? Number.NaN) / 1e9

/** None if the system does not say. */
const childrenOf = (parent: number): number[] =>
  (hasProc ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => fieldsOf(pid)?.[PARENT] === parent)

/** Kills a process and its children in one go, as a machine that loses its power does; Linux. */
export const killTree = (pid: number): void => {
  // Stopped first, so that none of them acts on the end of another.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) signalTree(pid, signal)
}

/** To a process and its children. */
export const signalTree = (pid: number, signal: NodeJS.Signals): void => {
  for (const one of [pid, ...childrenOf(pid)])
    try {
      process.kill(one, signal)
    } catch {
      // It has ended.
    }
}
