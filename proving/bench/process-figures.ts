import { existsSync, readdirSync, readFileSync } from 'node:fs'

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

const megabytes = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(pid, 'status') ?? '')?.[1] ?? Number.NaN) * 1_024) / 1e6

/** Megabytes that a process has resident. NaN if the system does not say, as all of these. */
export const resident = (pid: number): number => megabytes(pid, 'VmRSS')

/** Megabytes that it had resident at most. */
export const peak = (pid: number): number => megabytes(pid, 'VmHWM')

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
  if (!hasProc) return Number.NaN
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(Number(name))?.[PARENT] === pid)
  const alive = children.map((child) => busy(Number(child))).filter((time) => !Number.isNaN(time))
  return seconds(pid, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM) + alive.reduce((sum, time) => sum + time, 0)
}

/**
 * Seconds in which its main thread was ready to run but something else had its core.
 * @see https://docs.kernel.org/scheduler/sched-stats.html
 */
export const denied = (pid: number): number => Number(read(pid, 'schedstat')?.split(' ')[1] ?? Number.NaN) / 1e9
