import { spawn } from 'node:child_process'
import { vi } from 'vitest'
import { stepsOf } from '../../packages/app/test/documentation/blocks.ts'
import type { Stranger } from './stranger.ts'

const PATIENT = { timeout: 60_000, interval: 50 }

/** A command that goes on, with all the processes that it started. */
export interface Running extends AsyncDisposable {
  /** Asks all of them to stop, and waits until they have. Doing so twice is doing it once. */
  stop(): Promise<void>
}

/** Starts a command in a project, and waits until something answers at the URL. */
export const startUntil = async (
  project: Stranger,
  url: string,
  command: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> => {
  const { pid } = spawn('bash', ['-c', command], {
    cwd: project.folder,
    env: { ...project.environment, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A group of its own, because npm may be gone before what it started.
    detached: true,
  })
  const isRunning = (): boolean => {
    try {
      return pid !== undefined && process.kill(-pid, 0)
    } catch {
      return false
    }
  }
  const stop = async (): Promise<void> => {
    if (pid === undefined || !isRunning()) return
    process.kill(-pid, 'SIGTERM')
    await vi.waitUntil(() => !isRunning(), PATIENT)
  }
  try {
    await vi.waitUntil(async () => {
      if (!isRunning()) throw new Error(`it did not start: ${command}`)
      return (await fetch(url).catch(() => undefined)) !== undefined
    }, PATIENT)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop, [Symbol.asyncDispose]: stop }
}

/** The commands in the text of a README, in their order, and what it shows below each. */
export const commandsOn = (text: string) =>
  stepsOf('README.md', text).map(({ code, answers: [printed] }) => ({ command: code.trim(), printed }))
