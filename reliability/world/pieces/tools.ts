import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin']

/** What a scenario needs from Debian, or from elsewhere. */
export interface Tool {
  readonly name: string
  /** What it is for, as a sentence goes on after "is missing". */
  readonly purpose: string
  readonly packages: readonly string[]
  readonly find: () => string | undefined
}

const inPath = (name: string): string | undefined =>
  FOLDERS.map((folder) => path.join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

const tool = (name: string, purpose: string, ...packages: string[]): Tool => ({
  name,
  purpose,
  packages: packages.length > 0 ? packages : [name],
  find: () => inPath(name),
})

const DEBIAN_POSTGRES = '/usr/lib/postgresql'
const VERSIONS = ['18', '17', '16', '15']

/** The folder with Debian's PostgreSQL, which has what Patroni calls: the one of npm has no pg_rewind. */
export const postgresBinaries = (): string | undefined =>
  VERSIONS.map((version) => path.join(DEBIAN_POSTGRES, version, 'bin')).find((folder) =>
    existsSync(path.join(folder, 'pg_rewind')),
  )

export const TOOLS = {
  pgbouncer: tool('pgbouncer', 'the pooler in front of PostgreSQL'),
  haproxy: tool('haproxy', 'the balancer in front of the instances'),
  etcd: tool('etcd', 'where Patroni keeps who leads', 'etcd-server'),
  patroni: tool('patroni', 'which makes three PostgreSQL servers one', 'patroni', 'python3-etcd', 'python3-psycopg2'),
  postgres: {
    name: 'pg_rewind',
    purpose: "which Patroni needs beside Debian's PostgreSQL",
    packages: ['postgresql'],
    find: postgresBinaries,
  },
  nginx: tool('nginx', 'the cache in front', 'nginx-light'),
  varnish: tool('varnishd', 'the second cache in front', 'varnish'),
  compiler: tool('cc', 'with which Varnish compiles its configuration', 'gcc', 'libc6-dev'),
  java: tool('java', 'which Keycloak runs on', 'default-jre-headless'),
} as const satisfies Readonly<Record<string, Tool>>

/** @throws {Error} it is not installed */
export const programOf = (wanted: Tool): string => {
  const found = wanted.find()
  if (found === undefined) throw new Error(whatIsMissing([wanted]).join('\n'))
  return found
}

/** A sentence for each that is missing, and the command that gets all of them; nothing where all are there. */
export const whatIsMissing = (wanted: readonly Tool[]): readonly string[] => {
  const missing = [...new Set(wanted)].filter(({ find }) => find() === undefined)
  if (missing.length === 0) return []
  const packages = [...new Set(missing.flatMap((one) => one.packages))]
  return [
    ...missing.map(({ name, purpose }) => `${name} is missing, ${purpose}.`),
    `On Debian: apt-get install --no-install-recommends ${packages.join(' ')}`,
  ]
}
