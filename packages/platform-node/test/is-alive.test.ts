import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { isAlive } from '../src/index.ts'

it('knows a process that runs from one that has ended', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  expect([isAlive(process.pid), isAlive(child.pid ?? 0)]).toEqual([true, false])
})
