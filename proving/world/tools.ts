import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

// An ordinary user's PATH lacks the folders for administrators.
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin']

export const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** The file of an installed program. */
export const findProgram = (name: string): string | undefined =>
  FOLDERS.map((folder) => path.join(folder, name)).find(isExecutable)

/** What a scenario needs of Debian. */
export interface Tool {
  readonly name: string
  readonly packages: readonly string[]
}

const tool = (name: string, ...packages: string[]): Tool => ({
  name,
  packages: packages.length > 0 ? packages : [name],
})

export const TOOLS = {
  pgbouncer: tool('pgbouncer'),
  haproxy: tool('haproxy'),
  nginx: tool('nginx', 'nginx-light'),
  varnish: tool('varnishd', 'varnish'),
  // With which Varnish compiles its configuration.
  compiler: tool('cc', 'gcc', 'libc6-dev'),
} as const satisfies Readonly<Record<string, Tool>>

/** Each with a line, and then the one command that installs all of them; nothing if nothing is missing. */
export const whatIsMissing = (wanted: readonly Tool[], find = findProgram): readonly string[] => {
  const missing = [...new Set(wanted)].filter(({ name }) => find(name) === undefined)
  if (missing.length === 0) return []
  const packages = [...new Set(missing.flatMap((one) => one.packages))]
  return [
    ...missing.map(({ name }) => `${name} is missing.`),
    `On Debian: apt-get install --no-install-recommends ${packages.join(' ')}`,
  ]
}

/** @throws {Error} it is not installed */
export const programOf = (wanted: Tool): string => {
  const found = findProgram(wanted.name)
  if (found === undefined) throw new Error(whatIsMissing([wanted]).join('\n'))
  return found
}
