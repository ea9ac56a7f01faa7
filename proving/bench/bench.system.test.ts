import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build, scratchFolder } from '../shared/service.ts'

let folder: string
beforeAll(() => {
  folder = scratchFolder()
  build(path.join(folder, 'whole'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bench = (...args: readonly string[]) =>
  spawnSync(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' })

const puts = (product: string) =>
  bench('--product', path.join(folder, product), ...'--only put --store sqlite --turns 1 --seconds 1'.split(' '))

it('measures a packed product, and finds all that was acknowledged before a kill', () => {
  const { status, stdout, stderr } = puts('whole')
  expect(stderr).not.toContain('rror')
  expect(stdout).toMatch(/answers\/s .* missing {2}unasked\n[- ]+\nthis .* 0 +0\n/)
  expect(status).toBe(0)
})

/** A product that hides the first user of the list, as if it were lost. */
const LOSING = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process')
const program = require('node:path').join(__dirname, '../../whole/bin/rollcall.cjs')
const args = process.argv.slice(2)
if (args[1] !== 'list') process.execve(process.execPath, [process.execPath, program, ...args])
const list = JSON.parse(spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e9 }).stdout)
console.log(JSON.stringify({ ...list, items: list.items.slice(1) }))
`

it('ends with 3 if anything that was acknowledged is not there', () => {
  mkdirSync(path.join(folder, 'losing/bin'), { recursive: true })
  writeFileSync(path.join(folder, 'losing/bin/rollcall.cjs'), LOSING, { mode: 0o755 })
  const { status, stdout } = puts('losing')
  expect(stdout).toMatch(/\nthis .* 1 +0\n/)
  expect(status).toBe(3)
})

it.each([
  [['--only', 'nothing'], "There is no 'nothing', only "],
  [['--seconds', 'many'], "--seconds must be a whole number of at least 1, not 'many'."],
  [['--product', '/nowhere', '--only', 'put'], 'There is no packed release in /nowhere'],
])('refuses %j', (args, says) => {
  const { status, stderr } = bench(...args)
  expect(stderr).toContain(says)
  expect(status).toBe(2)
})
