import { statfs } from 'node:fs/promises'
import path from 'node:path'
import manifest from '@rollcall/app/package.json' with { type: 'json' }
import { systemClock } from '@rollcall/platform-node'
import { Gauge, type Registry } from 'prom-client'
import { LAST_BACKUP, LAST_VERIFICATION, recallDone } from '../last-done.ts'
import type { Service } from '../service.ts'
import { Gauges } from './gauges.ts'
import { inTime } from './in-time.ts'
import { webhookLags } from './webhook-lags.ts'

type Observed = Pick<Service, 'clock' | 'config' | 'readers' | 'storage'>

/** Adds what tells an operator how near the limits are, and when what has to be done by hand was last done. */
export const observeOperation = (registry: Registry, { clock, config, readers, storage }: Observed): void => {
  const gauges = new Gauges(registry)
  const database = config.postgresUrl === undefined ? 'sqlite' : 'postgresql'
  new Gauge({
    name: 'rollcall_build_info',
    help: '1.',
    labelNames: ['version', 'node', 'database'],
    registers: [registry],
  }).set({ version: manifest.version, node: process.versions.node, database }, 1)

  const folder = config.postgresUrl === undefined ? path.dirname(config.databaseFile) : config.DATA_DIR
  const disk = async () => await statfs(folder)
  const where = 'the disk of the data folder, with SQLite of the database'
  gauges.add('rollcall_disk_free_bytes', `How much this user may still write on ${where}.`, async () => {
    const { bavail, bsize } = await disk()
    return bavail * bsize
  })
  gauges.add('rollcall_disk_size_bytes', `How much there is in all on ${where}.`, async () => {
    const { blocks, bsize } = await disk()
    return blocks * bsize
  })

  const { connectionUse } = storage
  if (connectionUse !== undefined) {
    gauges.add(
      'rollcall_clock_skew_seconds',
      'How far the clock of this machine is ahead of the one of the database, which decides.',
      () => (systemClock.now() - clock.now()) / 1_000,
    )
    gauges.addEach('rollcall_database_connections', 'Connections of this process to the database.', 'state', () => {
      const { busy, idle } = connectionUse()
      return [
        ['busy', busy],
        ['idle', idle],
      ]
    })
    gauges.add('rollcall_database_connections_max', 'How many there may be.', () => connectionUse().most)
    gauges.add(
      'rollcall_database_connections_awaited',
      'How often one is waited for now.',
      () => connectionUse().awaited,
    )
  }

  const lastBackup = inTime(() => recallDone(storage, LAST_BACKUP))
  // PostgreSQL is backed up by its own means.
  if (connectionUse === undefined)
    gauges.add('rollcall_backup_success_timestamp_seconds', 'When `rollcall backup` was last done.', async () =>
      seconds((await lastBackup())?.at),
    )
  const lastVerification = inTime(() => recallDone(storage, LAST_VERIFICATION))
  gauges.add('rollcall_audit_verify_timestamp_seconds', 'When `rollcall audit verify` was last run.', async () =>
    seconds((await lastVerification())?.at),
  )
  gauges.add(
    'rollcall_audit_verify_success',
    '1 if the trail held when it was last verified; otherwise 0.',
    async () => {
      const found = await lastVerification()
      return found && (found.well ? 1 : 0)
    },
  )

  const lags = inTime(() => webhookLags(readers, clock.now()))
  for (const [name, help, of] of [
    ['rollcall_webhook_lag_seconds', 'For how long its oldest event has waited; 0 if none.', 'lag'],
    ['rollcall_webhook_failing_seconds', 'For how long it has taken no event; 0 if it does.', 'failing'],
  ] as const)
    gauges.addEach(name, help, 'webhook', async () =>
      (await lags()).map((lag) => [lag.webhook, lag[of] / 1_000] as const),
    )
}

const seconds = (milliseconds: number | undefined): number | undefined => milliseconds && milliseconds / 1_000
