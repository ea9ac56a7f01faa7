import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const CLOCK_TICKS = 100

/** Bytes of memory that a process has resident. */
export const residentBytes = (pid: number): number => {
  if (hasProc()) return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(pid, 'status'))?.[1] ?? 0)
  return 1_024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' }))
}

/** The peak resident bytes of a process since `forgetPeak`; NaN if the system does not report them. */
export const peakResidentBytes = (pid: number): number =>
  hasProc() ? 1_024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(pid, 'status'))?.[1] ?? Number.NaN) : Number.NaN

/** @see proc_pid_clear_refs(5) */
export const forgetPeak = (pid: number): void => {
  if (hasProc()) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Processor time of a process, in seconds. */
export interface ProcessorTime {
  /** Used by it and its threads. */
  readonly busy: number
  /** In which its main thread was ready to run but something else had its core. */
  readonly denied: number
}

/**
 * NaN if the system does not report it.
 * @see proc_pid_stat(5), fields 14 and 15, and https://docs.kernel.org/scheduler/sched-stats.html
 */
export const processorTime = (pid: number): ProcessorTime => {
  if (!hasProc()) return { busy: Number.NaN, denied: Number.NaN }
  const fields = fieldsOf(pid)
  const [, nanoseconds] = read(pid, 'schedstat').split(' ')
  return { busy: (Number(fields?.[USER]) + Number(fields?.[SYSTEM])) / CLOCK_TICKS, denied: Number(nanoseconds) / 1e9 }
}

/** Places behind the name. */
const [USER, SYSTEM] = [11, 12]

/** Undefined if it has ended. */
const fieldsOf = (pid: number): string[] | undefined => {
  try {
    // The second field is the name, in brackets, and may hold anything.
    return read(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

const hasProc = (): boolean => existsSync('/proc/self/stat')

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')
