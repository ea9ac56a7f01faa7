import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migratePostgres } from '../../src/postgres/index.ts'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a PostgreSQL server on which databases may be made, and the name of one to make them from. */
    postgres: { readonly url: string; readonly template: string }
  }
}

// Nothing here has to survive a power cut.
const QUICK = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' }

/** One server for all tests of a project, and a database with its tables to copy for each of them. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const given = process.env.TEST_POSTGRES_URL
  const server = given ? undefined : await startPostgres(QUICK)
  const url = given ?? server?.url ?? ''
  const template = `rollcall_template_${process.pid}_${Date.now()}`
  const command = async (text: string): Promise<void> => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await command(`CREATE DATABASE ${template} ENCODING 'UTF8' TEMPLATE template0`)
  const database = new URL(url)
  database.pathname = template
  await migratePostgres(database.href)
  provide('postgres', { url, template })
  return async () => {
    if (server) await server.stop()
    else await command(`DROP DATABASE ${template}`)
  }
}
