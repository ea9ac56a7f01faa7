import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Unavailable } from '@rollcall/core'
import { expect, it, onTestFinished } from 'vitest'
import { examinePostgres, migratePostgres } from '../../src/postgres/index.ts'
import { putTombstone } from '../a-tombstone.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { serverAccount, startPostgres } from '../postgres-server/start-postgres.ts'
import { openStorage } from './temporary-storage.ts'

/** A disk of 32 MiB. To mount one takes the rights of root. */
const smallDisk = (): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rollcall-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  const { uid = 0, gid = 0 } = serverAccount()
  chownSync(folder, uid, gid)
  return folder
}

it.runIf(process.getuid?.() === 0)('a server whose disk is full is not ready until there is room', async () => {
  const disk = smallDisk()
  const server = await startPostgres({ fsync: 'off', shared_buffers: '32MB', max_connections: '50' })
  onTestFinished(() => server.stop())
  await lookAt(server.url, async (client) => {
    await client.query(`CREATE TABLESPACE small LOCATION '${disk}'`)
    await client.query("CREATE DATABASE small ENCODING 'UTF8' TEMPLATE template0 TABLESPACE small")
  })
  const url = Object.assign(new URL(server.url), { pathname: '/small' }).href
  await migratePostgres(url)
  const { unitOfWork, readers } = await openStorage(url)
  let n = 0
  const write = () => unitOfWork.run(putTombstone(`${n++}`.padEnd(2_000, 'x')))
  await write()

  const { bavail, bsize } = statfsSync(disk)
  const filler = path.join(disk, 'filler')
  writeFileSync(filler, Buffer.alloc(bavail * bsize))
  const writeUntilRefused = async () => {
    for (let tries = 0; tries < 1_000; tries++) await write()
  }
  await expect(writeUntilRefused()).rejects.toBeInstanceOf(Unavailable)
  await expect(readers.outbox.health()).rejects.toBeInstanceOf(Unavailable)
  expect(await readers.outbox.depth()).toEqual({ waiting: 0, parked: 0 })
  await expect(examinePostgres(url)).rejects.toThrow(/has no room on its disk/)

  rmSync(filler)
  await expect.poll(() => readers.outbox.health().catch(() => undefined)).toBeDefined()
  await write()
  // The tries themselves have left nothing.
  const again = statfsSync(disk)
  expect(again.bavail * again.bsize).toBeGreaterThan(bavail * bsize - 4 * 2 ** 20)
})
