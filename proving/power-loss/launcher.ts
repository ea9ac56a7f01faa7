// Runs under strace, and so does everything it starts: one trace has all of it, in order.
import { type ChildProcess, spawn } from 'node:child_process'
import type { LaunchOrder, LaunchReport } from './recorder.ts'

const running = new Set<ChildProcess>()
const report = (one: LaunchReport): void => {
  if (process.connected) process.send?.(one)
}

process.on('message', ({ id, command: [program, ...args], env, cwd }: LaunchOrder) => {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  report({ id, pid: child.pid ?? 0 })
  child.stdout.setEncoding('utf8').on('data', (out: string) => report({ id, out }))
  child.stderr.setEncoding('utf8').on('data', (err: string) => report({ id, err }))
  child.on('close', (code) => {
    running.delete(child)
    report({ id, code })
  })
})
// The process that gave the orders is gone, or has no more of them.
process.on('disconnect', () => {
  for (const child of running) child.kill('SIGKILL')
})
