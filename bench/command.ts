import { execFile, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined

/** A core for the servers and another for the load; undefined where processes cannot be pinned. */
export interface Cores {
  readonly server: number | undefined
  readonly load: number | undefined
}

export const findCores = (): Cores =>
  availableParallelism() > 1 && isInstalled('taskset') ? { server: 0, load: 1 } : { server: undefined, load: undefined }

/** The command, to be run on that core. */
export const pinned = (core: number | undefined, program: string, args: readonly string[]): [string, string[]] =>
  core === undefined ? [program, [...args]] : ['taskset', ['--cpu-list', `${core}`, program, ...args]]

/** What a command prints, once it has succeeded. */
export const run = async (
  program: string,
  args: readonly string[],
  core: number | undefined,
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> => {
  const { stdout } = await execute(...pinned(core, program, args), { ...options, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
