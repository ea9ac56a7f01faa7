import { cp, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../../packages/app/test/free-port.ts'
import type { Options } from '../options.ts'
import { command, databaseIn } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import { anyToken, deletions, signUps } from '../traffic.ts'
import { type BenchCase, outside, type Run, tooFew } from './bench-case.ts'

const FLOORS = path.join(import.meta.dirname, '../floors')

/** A floor as a server; any answer means that it is ready. */
export const floor = async (name: string, folder: string, args: readonly string[] = []): Promise<Run['server']> => {
  const port = await freePort()
  return {
    program: process.execPath,
    args: [path.join(FLOORS, `${name}.ts`), `${port}`, ...args],
    env: { NODE_ENV: 'production' },
    cwd: folder,
    port,
    isReady: () => true,
  }
}

const FILE = 'floor.db'

const constant = (name: string, title: string): BenchCase => ({
  name: `post-${name}`,
  title,
  status: 200,
  run: async (folder) => ({ server: await floor(name, folder), traffic: signUps, end: 'SIGTERM' }),
})

const groupCommit: BenchCase = {
  name: 'post-group-commit',
  title: 'POST, Koa + two durable inserts, group commit',
  status: 200,
  run: async (folder) => {
    const file = path.join(folder, FILE)
    return {
      server: await floor('koa-group-commit', folder, [file]),
      traffic: signUps,
      end: 'SIGKILL',
      disagreements: async (counts) => [
        ...outside('subscriptions', countRows(file, 'SELECT count(*) FROM subscriptions'), counts),
        ...outside('pending mails', countRows(file, 'SELECT count(*) FROM outbox'), counts),
      ],
    }
  },
}

/** On a database as the service makes it, so that tables and indexes cannot be others than its own. */
const sameRows = (scratch: string): BenchCase => {
  const template = path.join(scratch, 'same-rows')
  return {
    name: 'post-same-rows',
    title: 'POST, Koa + the same rows and indexes, group commit',
    status: 200,
    prepare: async () => {
      await mkdir(template)
      await command(template, 'migrate')
    },
    run: async (folder) => {
      const file = path.join(folder, FILE)
      await cp(databaseIn(template), file)
      const count = (table: string): number => countRows(file, `SELECT count(*) FROM ${table}`)
      return {
        server: await floor('koa-same-rows', folder, [file]),
        traffic: signUps,
        end: 'SIGKILL',
        disagreements: async (counts) =>
          ['subscription', 'outbox', 'consent', 'event'].flatMap((table) =>
            outside(`rows of ${table}`, count(table), counts),
          ),
      }
    },
  }
}

const constantRefusal: BenchCase = {
  name: 'delete-403-koa',
  title: 'DELETE 403, bare Koa, constant',
  status: 403,
  run: async (folder) => ({
    server: await floor('koa-constant-403', folder),
    traffic: deletions(anyToken),
    end: 'SIGTERM',
  }),
}

const durableDelete = (users: number): BenchCase => ({
  name: 'delete-204-group-commit',
  title: 'DELETE 204, Koa + the same durable statements, group commit',
  status: 204,
  run: async (folder) => {
    const file = path.join(folder, FILE)
    return {
      server: await floor('koa-durable-delete', folder, [file, `${users}`]),
      traffic: deletions(anyToken),
      end: 'SIGKILL',
      disagreements: async (counts) => [
        ...tooFew(users, counts),
        ...outside('deleted users', users - countRows(file, 'SELECT count(*) FROM users'), counts),
        ...outside('tombstones', countRows(file, 'SELECT count(*) FROM tombstones'), counts),
        ...outside('audit records', countRows(file, 'SELECT count(*) FROM audit'), counts),
      ],
    }
  },
})

export const floors = ({ users }: Options, scratch: string): readonly BenchCase[] => [
  constant('node-http', 'POST, bare node:http, constant'),
  constant('koa', 'POST, bare Koa + router + bodyparser, constant'),
  groupCommit,
  sameRows(scratch),
  constantRefusal,
  durableDelete(users),
]
