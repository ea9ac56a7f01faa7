import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

export const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined

const canPin = availableParallelism() > 1 && isInstalled('taskset')

/** Servers have the first core; the load, and whatever receives mails and events, have the second. */
const CORES = { server: '0', load: '1', any: `0-${availableParallelism() - 1}` } as const
export type Core = keyof typeof CORES

export const describeCores = (): string =>
  canPin ? `servers on core ${CORES.server}, load on core ${CORES.load}` : 'no core is set apart, so figures vary more'

/** The command, to be run on that core. */
export const pinned = (core: Core, command: readonly [string, ...string[]]): [string, ...string[]] =>
  canPin ? ['taskset', '--cpu-list', CORES[core], ...command] : [...command]

/** This process, with what it starts from now on. */
export const pinSelf = (core: Core): void => {
  if (canPin) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', CORES[core], `${process.pid}`])
}
