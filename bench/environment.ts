import { spawnSync } from 'node:child_process'
import { readFileSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Connection } from '../packages/storage-sql/src/sqlite/driver.ts'
import type { Cores } from './command.ts'
import type { Options } from './options.ts'

/** What is needed to compare figures. */
export interface Environment {
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
  readonly system: string
  readonly processor: string
  readonly cores: string
}

const ROOT = path.join(import.meta.dirname, '..')
const TMPFS = 0x01_02_19_94

export const describeEnvironment = ({ generator }: Options, cores: Cores): Environment => ({
  date: new Date().toISOString(),
  versions: {
    node: process.versions.node,
    koa: versionOf('koa'),
    '@koa/router': versionOf('@koa/router'),
    'koa-bodyparser': versionOf('koa-bodyparser'),
    sqlite: sqliteVersion(),
    [generator]: generator === 'wrk' ? wrkVersion() : versionOf('autocannon'),
  },
  system: `${os.type()} ${os.release()} ${os.arch()}`,
  processor: `${os.availableParallelism()} x ${os.cpus()[0]?.model.trim() ?? 'unknown'}`,
  cores: cores.server === undefined ? 'shared by all' : `server on ${cores.server}, load on ${cores.load}`,
})

/** In such a folder nothing reaches a disk, so figures of durable work are meaningless. */
export const isInMemory = (folder: string): boolean => statfsSync(folder).type === TMPFS

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(path.join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version

const sqliteVersion = (): string => {
  const database = Connection.inMemory()
  try {
    return database.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? 'unknown'
  } finally {
    database.close()
  }
}

const wrkVersion = (): string => {
  const { stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'unknown'
}
