import { chmod, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { floor } from '../cases/floors.ts'
import type { Cores } from '../command.ts'
import { answered, generate, type LoadReport, type Traffic } from '../load.ts'
import type { Options } from '../options.ts'
import { issueTokenOn, migrate, rollcall } from '../rollcall/rollcall.ts'
import { Server, type ServerOrder } from '../server.ts'
import { type Spread, spread } from '../statistics.ts'
import { deletions, distinct, puts } from '../traffic.ts'
import { query } from './query.ts'

export type ChangeKind = 'DELETE' | 'PUT'

/** How one set of instances did. */
export interface ChangeRate {
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of a processor that the instances used for each answer, without the database server. */
  readonly cost: number
  /** Transactions for each answer. */
  readonly transactions: number
}

/** Changes of users on PostgreSQL, each audited. */
export interface ChangeFigures {
  readonly kind: ChangeKind
  readonly connections: number
  readonly floor: SpreadOf<ChangeRate>
  readonly one: SpreadOf<ChangeRate>
  /** Two instances on one database, together, where there is more than one connection. */
  readonly two: SpreadOf<ChangeRate> | undefined
  /** One instance beside the floor, in the same turn. */
  readonly ofFloor: Spread
  /** Two instances beside one, in the same turn. */
  readonly ofOne: Spread | undefined
}

type SpreadOf<Figures> = { readonly [Name in keyof Figures]: Spread }

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

interface Candidate {
  readonly url: string
  /** Of an administrator; the floor gets it as well, and requires none. */
  readonly token: string
  readonly instances: number
  readonly start: () => Promise<Omit<ServerOrder, 'core'>>
}

const STATUS = { DELETE: 204, PUT: 201 } as const

/**
 * Each turn on databases of its own, on one server as durable as PostgreSQL is by default. No process is pinned.
 * @throws {Error} an answer was not what it should be, or a row was lost
 */
export const measureChanges = async (order: Order): Promise<ChangeFigures[]> => {
  const { reps, connections } = order.options
  // The account that the server runs under must be able to enter.
  await chmod(order.scratch, 0o711)
  const server = await startPostgres({}, order.scratch)
  try {
    const figures: ChangeFigures[] = []
    for (const clients of new Set([connections, 1]))
      for (const kind of ['DELETE', 'PUT'] as const) {
        const turns: { floor: ChangeRate; one: ChangeRate; two: ChangeRate | undefined }[] = []
        for (let turn = 1; turn <= reps; turn++) {
          const measure = (instances: number, isFloor = false) =>
            measureOn(server.url, { ...order, kind, clients, instances, isFloor })
          turns.push({
            floor: await measure(1, true),
            one: await measure(1),
            two: clients > 1 ? await measure(2) : undefined,
          })
        }
        figures.push({
          kind,
          connections: clients,
          floor: spreads(turns.map(({ floor }) => floor)),
          one: spreads(turns.map(({ one }) => one)),
          two: clients > 1 ? spreads(turns.flatMap(({ two }) => two ?? [])) : undefined,
          ofFloor: spread(turns.map(({ one, floor }) => one.rate / floor.rate)),
          ofOne: clients > 1 ? spread(turns.flatMap(({ one, two }) => (two ? two.rate / one.rate : []))) : undefined,
        })
      }
    return figures
  } finally {
    await server.stop()
  }
}

const spreads = (rates: readonly ChangeRate[]): SpreadOf<ChangeRate> => ({
  rate: spread(rates.map(({ rate }) => rate)),
  p50: spread(rates.map(({ p50 }) => p50)),
  p99: spread(rates.map(({ p99 }) => p99)),
  cost: spread(rates.map(({ cost }) => cost)),
  transactions: spread(rates.map(({ transactions }) => transactions)),
})

interface Trial extends Order {
  readonly kind: ChangeKind
  readonly clients: number
  readonly instances: number
  readonly isFloor: boolean
}

const DATABASE = 'changes'

const measureOn = async (server: string, trial: Trial): Promise<ChangeRate> => {
  const folder = path.join(trial.scratch, DATABASE)
  await query(server, `CREATE DATABASE ${DATABASE}`)
  const url = Object.assign(new URL(server), { pathname: `/${DATABASE}` }).href
  await mkdir(folder)
  try {
    await migrate(folder, url)
    const token = await issueTokenOn(folder, url, 'bench-admin')
    if (trial.kind === 'DELETE') await addUsers(url, trial.options.users)
    const start = trial.isFloor
      ? () => floor('pg-shared-changes', folder, [url])
      : () => rollcall(folder, { DATABASE_URL: url })
    return await measureServers({ url, token, instances: trial.instances, start }, trial)
  } finally {
    await query(server, `DROP DATABASE ${DATABASE} WITH (FORCE)`)
    await rm(folder, { recursive: true })
  }
}

/** As they would be after a while: the database server knows how many there are. */
const addUsers = async (url: string, count: number): Promise<void> => {
  const ids = Array.from({ length: count }, (_, number) => distinct(number))
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(
      `WITH added AS (
          INSERT INTO user_account (id, email, email_key, name, roles, terms, created_at, updated_at)
            SELECT 'user-' || n, 'user.' || n || '@example.com', 'user.' || n || '@example.com', 'Brian Smith',
              '["auditor"]', '["brian","example.com","smith","user-' || n || '","user.' || n || '@example.com"]', 1, 1 FROM unnest($1::text[]) AS n RETURNING seq)
        INSERT INTO user_role SELECT seq, 'auditor' FROM added`,
      [ids],
    )
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

/** So that no two instances are asked to change the same user. */
const share = (users: number, instance: number, instances: number): number => Math.floor((users / instances) * instance)

const measureServers = async (candidate: Candidate, trial: Trial): Promise<ChangeRate> => {
  const { url, token, instances, start } = candidate
  const { kind, options, clients } = trial
  const servers: Server[] = []
  try {
    for (let n = 0; n < instances; n++) servers.push(await Server.start({ ...(await start()), core: undefined }))
    const headers = { Authorization: `Bearer ${token}` }
    const traffic: Traffic = kind === 'DELETE' ? deletions(headers) : puts(headers)
    const connections = Math.ceil(clients / instances)
    const load = (seconds: number, firsts: readonly number[]): Promise<LoadReport[]> =>
      Promise.all(
        servers.map((server, n) =>
          generate(options.generator, {
            ...{ url: server.url, traffic, connections, seconds, core: undefined },
            first: firsts[n] ?? share(options.users, n, instances),
          }),
        ),
      )
    const used = () => servers.reduce((sum, { processorTime }) => sum + processorTime.busy, 0)
    const warm = await load(
      options.warmup,
      servers.map((_, n) => share(options.users, n, instances)),
    )
    const [busy, commits] = [used(), await transactions(url)]
    const measured = await load(
      options.seconds,
      warm.map(({ next }) => next),
    )
    const answers = measured.reduce((sum, report) => sum + answered(report), 0)
    const cost = ((used() - busy) * 1e6) / answers
    await requireAll(url, trial, [...warm, ...measured])
    return {
      rate: measured.reduce((sum, report) => sum + answered(report) / report.seconds, 0),
      p50: Math.max(...measured.map(({ p50 }) => p50)),
      p99: Math.max(...measured.map(({ p99 }) => p99)),
      cost,
      transactions: ((await transactions(url)) - commits) / answers,
    }
  } finally {
    for (const server of servers) await server.stop('SIGKILL')
  }
}

/** How many there were that wrote or locked something. */
const transactions = async (url: string): Promise<number> => {
  const [row] = await query(url, 'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS n')
  return Number(row?.n)
}

const requireAll = async (url: string, { kind, options }: Trial, reports: readonly LoadReport[]): Promise<void> => {
  const all = reports.reduce((sum, report) => sum + answered(report), 0)
  const good = reports.reduce((sum, { statuses }) => sum + (statuses[STATUS[kind]] ?? 0), 0)
  const [row] = await query(
    url,
    `SELECT (SELECT count(*)::int FROM user_account) AS users, (SELECT count(*)::int FROM identity WHERE deleted_at IS NOT NULL) AS tombstones,
      (SELECT count(*)::int FROM audit_record WHERE action IN ('user.delete', 'user.put')) AS records`,
  )
  const changed = kind === 'DELETE' ? options.users - Number(row?.users) : Number(row?.users)
  const found = [changed, Number(row?.records), ...(kind === 'DELETE' ? [Number(row?.tombstones)] : [])]
  if (good !== all || found.some((count) => count < good))
    throw new Error(
      `${found.join(', ')} changed users, records and tombstones for ${good} good answers of ${all}. Where users ran out, create more of them by --users.`,
    )
}
