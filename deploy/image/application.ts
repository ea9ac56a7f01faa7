import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildApplication } from '../../packages/rollcall/build.ts'

const ROOT = path.join(import.meta.dirname, '../..')

export type Architecture = 'amd64' | 'arm64'

/** How Node.js calls a processor. */
export const NODE_NAME: Readonly<Record<Architecture, 'x64' | 'arm64'>> = { amd64: 'x64', arm64: 'arm64' }

/** A package from npm that ships, as the lockfile has it. */
export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** As its author has it: an id or an expression of SPDX, a text, or nothing. */
  readonly license: string | undefined
  readonly integrity: string
  /** Below the root of the repository, such as `node_modules/pg`. */
  readonly path: string
}

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export const lockedPackages = async (folder = '.'): Promise<Readonly<Record<string, Locked>>> =>
  JSON.parse(await readFile(path.join(ROOT, folder, 'package-lock.json'), 'utf8')).packages

/** What a compiler, a reader or another platform needs, and a running service does not. */
const UNUSED =
  /\.(?:d\.[cm]?ts|map|md|markdown|gypi?|sh|test\.js)$|\/(?:test|tests|docs|examples?|bench(?:marks?)?|\.[^/]+)$/

const isUnused = (file: string, { path: folder }: ShippedPackage): boolean => {
  const inside = file.slice(path.join(ROOT, folder).length)
  return UNUSED.test(inside) || inside.startsWith('/node_modules')
}

/** The packages that the bundle leaves outside, and what they depend on, found as Node.js would find them. */
export const shippedPackages = async (dependencies: readonly string[]): Promise<readonly ShippedPackage[]> => {
  const locked = await lockedPackages()
  const found = new Map<string, ShippedPackage>()
  const add = (name: string, from: string): void => {
    const at = lookup(name, from, locked)
    const entry = locked[at]
    if (entry === undefined) throw new Error(`The lockfile has no ${name}, which ${from || 'the bundle'} needs.`)
    if (found.has(at)) return
    const { version, license, integrity = '' } = entry
    found.set(at, { name, version, license, integrity, path: at })
    for (const needed of Object.keys(entry.dependencies ?? {})) add(needed, at)
  }
  for (const name of dependencies) add(name, '')
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** What is in the bundle. */
const packagesAt = async (folders: readonly string[]): Promise<readonly ShippedPackage[]> => {
  const locked = await lockedPackages()
  return folders.map((at) => {
    const { version, license, integrity = '' } = locked[at] ?? { version: '' }
    if (version === '') throw new Error(`The lockfile has no ${at}, which is in the bundle.`)
    return { name: at.replace(/^.*node_modules\//, ''), version, license, integrity, path: at }
  })
}

const lookup = (name: string, from: string, locked: Readonly<Record<string, Locked>>): string => {
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))))
    if (locked[`${folder}/node_modules/${name}`] !== undefined) return `${folder}/node_modules/${name}`
  return `node_modules/${name}`
}

/**
 * Writes the application with everything that it needs beside Node.js into the folder, as `npm install --global
 * --prefix` lays it out: `bin/rollcall` and `lib/node_modules/rollcall`. Says which packages are in it.
 */
export const writeApplication = async (
  prefix: string,
  /** The Node.js that `bin/rollcall` starts with; the first on the path where none is named. */
  node?: string,
): Promise<readonly ShippedPackage[]> => {
  const folder = path.join(prefix, 'lib/node_modules/rollcall')
  const bundled = await buildApplication(folder)
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  const shipped = await shippedPackages(Object.keys(manifest.dependencies))
  for (const one of shipped)
    await cp(path.join(ROOT, one.path), path.join(folder, one.path), {
      recursive: true,
      filter: (file) => !isUnused(file, one),
    })
  await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'))
  const launcher = path.join(folder, 'bin/rollcall.cjs')
  // A system without a shell has no `env` either, which the first line would ask for.
  const source = await readFile(launcher, 'utf8')
  if (node !== undefined)
    await writeFile(
      launcher,
      source.replace('#!/usr/bin/env -S node ', () => `#!${node} `),
    )
  await chmod(launcher, 0o755)
  await mkdir(path.join(prefix, 'bin'), { recursive: true })
  await symlink('../lib/node_modules/rollcall/bin/rollcall.cjs', path.join(prefix, 'bin/rollcall'))
  return shipped.concat(await packagesAt(bundled))
}
