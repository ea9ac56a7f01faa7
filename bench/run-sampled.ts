import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { processorTime, residentBytes } from '../proving/shared/process-figures.ts'
import type { CommandOrder } from './rollcall/rollcall.ts'

const SAMPLE_EVERY = 20

/** The cost of a command, from its start to its end. */
export interface Sampled {
  readonly seconds: number
  /** Seconds of a processor. */
  readonly busy: number
  /** Bytes that were resident at most. */
  readonly resident: number
  readonly stdout: string
}

/** @throws {Error} it failed */
export const runSampled = async ({ program, args, cwd, env }: CommandOrder): Promise<Sampled> => {
  const began = performance.now()
  const child = spawn(program, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const { pid = 0 } = child
  let [busy, resident] = [0, 0]
  const sampling = setInterval(() => {
    if (child.exitCode !== null || child.signalCode !== null) return
    busy = processorTime(pid).busy
    resident = Math.max(resident, residentBytes(pid))
  }, SAMPLE_EVERY)
  const killIt = (): void => {
    child.kill('SIGKILL')
  }
  process.once('exit', killIt)
  const [code] = await once(child, 'close')
  process.off('exit', killIt)
  clearInterval(sampling)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}`)
  return { seconds: (performance.now() - began) / 1_000, busy, resident, stdout }
}
