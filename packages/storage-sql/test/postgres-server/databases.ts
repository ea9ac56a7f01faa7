import pg from 'pg'
import { inject } from 'vitest'

export interface Database {
  readonly url: string
  /** Open connections are terminated. */
  drop(): Promise<void>
}

let count = 0

const command = async (text: string): Promise<void> => {
  const client = new pg.Client(inject('postgres').url)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const create = async (template: string): Promise<Database> => {
  const name = `${inject('postgres').template}_${process.pid}_${++count}`
  await command(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${template}`)
  const url = new URL(inject('postgres').url)
  url.pathname = name
  return { url: url.href, drop: () => command(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** With its tables. */
export const newDatabase = (): Promise<Database> => create(inject('postgres').template)

export const emptyDatabase = (): Promise<Database> => create('template0')

/** A look at a database from outside. */
export const lookAt = async <Result>(url: string, look: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await look(client)
  } finally {
    await client.end()
  }
}
