import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

const LAUNCHER = path.join(import.meta.dirname, '../../rollcall/bin/rollcall.cjs')
const OLDER = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })"

/** The launcher, as it is under a Node.js that is too old: it starts the one that is installed. */
const launch = async (home: Home, ...args: readonly string[]) => {
  const older = path.join(home.folder, 'older.cjs')
  await writeFile(older, OLDER)
  const { PATH } = process.env
  // A group of its own, so that the test leaves no process behind.
  const options = { cwd: home.folder, env: { PATH, ...home.environment() }, stdio: 'pipe', detached: true } as const
  const child = spawn(process.execPath, ['--require', older, LAUNCHER, ...args], options)
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return { child, output: () => output }
}

const answers = async (url: string): Promise<boolean> => {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status === 200
}

it.skipIf(process.platform === 'win32')('ends the service under another Node.js, however it is ended', async () => {
  await using home = await Home.make()
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const { child, output } = await launch(home, 'serve')
    await eventually(async () => child.exitCode !== null || (await answers(home.url)), 'that the service is ready')
    expect([child.exitCode, output()]).toEqual([null, expect.any(String)])
    child.kill(signal)
    // The output is closed by the last process that has it.
    await once(child, 'close')
    expect(await answers(home.url)).toBe(false)
  }
})

it.skipIf(process.platform === 'win32')('keeps no command from its end', async () => {
  await using home = await Home.make()
  const { child, output } = await launch(home, 'migrate', '--check')
  const [code] = await once(child, 'close')
  expect([code, output()]).toEqual([3, expect.stringContaining('migration missing')])
})
