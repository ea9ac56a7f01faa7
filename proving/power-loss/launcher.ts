// Runs under strace, and so does everything it starts: one trace has all of it, in order.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { LaunchOrder, LaunchReport } from './recorder.ts'

const running = new Set<ChildProcess>()

const report = (line: LaunchReport): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const launch = ({ id, args, env, cwd }: LaunchOrder): void => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  report({ id, pid: child.pid ?? 0 })
  child.stdout.setEncoding('utf8').on('data', (out: string) => report({ id, out }))
  child.stderr.setEncoding('utf8').on('data', (err: string) => report({ id, err }))
  child.on('close', (code, signal) => {
    running.delete(child)
    report({ id, code, signal })
  })
}

for await (const line of createInterface({ input: process.stdin })) launch(JSON.parse(line))
// The process that gave the orders is gone.
for (const child of running) child.kill('SIGKILL')
