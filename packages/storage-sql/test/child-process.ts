import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export interface Child {
  readonly process: ChildProcess
  /** Every line that it has written so far. */
  readonly lines: string[]
  /** Resolves with the first line that begins like this, past or to come. */
  line(beginning: string): Promise<string>
  /** Resolves once it is gone and everything that it wrote has been read. */
  kill(signal: NodeJS.Signals): Promise<void>
  readonly ended: Promise<unknown>
}

/** Runs one of the programs in `processes`, with the file as its first argument; killed after the test at the latest. */
export const startChild = (program: string, args: readonly string[], launcher: readonly string[] = []): Child => {
  const script = path.join(import.meta.dirname, 'processes', program)
  const [command = process.execPath, ...rest] = [...launcher, process.execPath, script, ...args]
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  let over = false
  const ended = Promise.all([once(child, 'close'), once(reader, 'close')]).then(() => {
    over = true
  })
  reader.on('line', (line) => lines.push(line))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    process: child,
    lines,
    ended,
    line: async (beginning) => {
      for (;;) {
        const found = lines.find((line) => line.startsWith(beginning))
        if (found !== undefined) return found
        if (over) throw new Error(`${program} ended without '${beginning}'`)
        await Promise.race([once(reader, 'line'), ended])
      }
    },
    kill: async (signal) => {
      child.kill(signal)
      await ended
    },
  }
}
