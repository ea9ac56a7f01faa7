import type { TestProject } from 'vitest/node'
import { migratePostgres } from '../../src/postgres/index.ts'
import { lookAt, startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a PostgreSQL server on which databases may be made, and the name of one to make them from. */
    postgres: { readonly url: string; readonly template: string }
  }
}

// Nothing here has to survive a power cut.
const QUICK = {
  ...{ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  ...{ shared_buffers: '64MB', max_wal_size: '64MB', deadlock_timeout: '50ms' },
}

interface Shared {
  readonly url: string
  readonly template: string
  stop(): Promise<void>
}

// Each project loads this file again: what they share is kept where all of them find it.
const KEY = Symbol.for('rollcall: the PostgreSQL server of all tests')
const FILES = Symbol.for('rollcall: the files of this run')
const all = globalThis as {
  [KEY]?: { projects: number; server: Promise<Shared> } | undefined
  [FILES]?: readonly string[]
}

// Only these folders have tests that ask for one.
const NEEDS_ONE = /[\\/](?:postgres|data-migration|moving)[\\/]/

/** One server for the tests of all projects, and a database with its tables to copy. */
export default async ({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (!all[FILES]?.some((file) => NEEDS_ONE.test(file))) return undefined
  all[KEY] ??= { projects: 0, server: start() }
  const shared = all[KEY]
  shared.projects++
  const { url, template, stop } = await shared.server
  provide('postgres', { url, template })
  return async () => {
    if (--shared.projects > 0) return
    all[KEY] = undefined
    await stop()
  }
}

const start = async (): Promise<Shared> => {
  const given = process.env.TEST_POSTGRES_URL
  const server = given ? undefined : await startPostgres(QUICK)
  const url = given ?? server?.url ?? ''
  const template = `rollcall_template_${process.pid}_${Date.now()}`
  await command(url, `CREATE DATABASE ${template} ENCODING 'UTF8' TEMPLATE template0`)
  const migrated = Object.assign(new URL(url), { pathname: template }).href
  await migratePostgres(migrated)
  await command(migrated, withLeastRights(template))
  return {
    url,
    template,
    // No test drops the databases that are used again and again.
    stop: async () => (server ? await server.stop() : await dropAll(url, template)),
  }
}

/** A role that can do to the tables what an instance needs, and is called like the template. It owns nothing. */
const withLeastRights = (name: string): string =>
  `CREATE ROLE ${name} LOGIN PASSWORD '${name}';
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name};
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}`

const dropAll = async (url: string, template: string): Promise<void> => {
  const { rows } = await command(url, `SELECT datname FROM pg_database WHERE datname LIKE '${template}%'`)
  for (const { datname } of rows) await command(url, `DROP DATABASE ${datname} WITH (FORCE)`)
  await command(url, `DROP ROLE ${template}`)
}

const command = (url: string, text: string) => lookAt(url, (client) => client.query(text))
