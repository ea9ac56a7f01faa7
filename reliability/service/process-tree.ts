import { readdirSync, readFileSync } from 'node:fs'

/** Kills a process and its children in one go, as a machine that loses its power does; Linux. */
export const killTree = (pid: number): void => {
  // Stopped first, so that none of them acts on the end of another.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) signalTree(pid, signal)
}

/** To a process and its children. */
export const signalTree = (pid: number, signal: NodeJS.Signals): void => {
  for (const one of [pid, ...childrenOf(pid)]) send(one, signal)
}

export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)

const parentOf = (pid: number): number | undefined => {
  try {
    // The name, in parentheses, may contain anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}
