import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Entry {
  readonly link?: boolean
  readonly integrity?: string
  readonly resolved?: string
  readonly engines?: unknown
}

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
const { packages }: { packages: Record<string, Entry> } = JSON.parse(text)
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

// A failure here is mended by a new lockfile, as CONTRIBUTING.md says.
describe('the lockfile', () => {
  it('has a hash for every package, so that a registry cannot put another one in its place', () => {
    expect(installed.length).toBeGreaterThan(300)
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  })

  it('has no address of a registry, so that any mirror will do', () => {
    expect(text).not.toMatch(/https?:\/\/[^"]*\.tgz/)
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  it('names no version of Node.js for any package, so that `npm ci` warns of none', () => {
    expect(Object.entries(packages).filter(([, { engines }]) => engines !== undefined)).toEqual([])
  })
})

it('.npmrc keeps the lockfile so, and installs without running scripts', () => {
  const settings = readFileSync(join(root, '.npmrc'), 'utf8').split('\n')
  expect(settings).toContain('omit-lockfile-registry-resolved=true')
  expect(settings).toContain('ignore-scripts=true')
})
