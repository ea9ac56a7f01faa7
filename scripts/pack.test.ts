import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

it.each([[['--out', 'folder']], [['folder', 'another']]])('takes one folder, and refuses %j', (words) => {
  const { status, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'pack.ts'), ...words], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('Name one folder') })
})
