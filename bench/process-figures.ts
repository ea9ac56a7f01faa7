import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const CLOCK_TICKS = 100

/** Bytes of memory that a process has resident. */
export const residentBytes = (pid: number): number => {
  if (hasProc()) return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(pid, 'status'))?.[1] ?? 0)
  return 1_024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' }))
}

/**
 * Seconds that a process and its threads have kept a processor busy; NaN where the system does not tell.
 * @see proc_pid_stat(5), fields 14 and 15
 */
export const processorSeconds = (pid: number): number => {
  if (!hasProc()) return Number.NaN
  // The second field is the name, in brackets, and may hold anything.
  const fields = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
}

const hasProc = (): boolean => existsSync('/proc/self/stat')

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')
