import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of a PostgreSQL server on which databases may be made, and the name of one to make them from. */
    postgres: { readonly url: string; readonly template: string }
  }
}

let count = 0

const run = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** A database with its tables, gone after the test. */
export class Database implements AsyncDisposable {
  readonly name: string
  readonly url: string

  private constructor(name: string) {
    this.name = name
    this.url = Object.assign(new URL(inject('postgres').url), { pathname: `/${name}` }).href
  }

  static async make(template = inject('postgres').template): Promise<Database> {
    const name = `rollcall_app_${process.pid}_${Date.now()}_${++count}`
    await run(inject('postgres').url, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${template}`)
    return new Database(name)
  }

  async query(text: string): Promise<Record<string, unknown>[]> {
    return await run(this.url, text)
  }

  /** Ends every connection to it, as an operator would, and waits for that: what is asked of one that ends may have been done. */
  async terminateConnections(): Promise<void> {
    await run(
      inject('postgres').url,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${this.name}'`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run(inject('postgres').url, `DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`)
  }
}
