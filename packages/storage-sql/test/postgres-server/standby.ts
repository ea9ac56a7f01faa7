import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { binaryFolders, HOW_TO_GET_ONE } from './find-postgres.ts'
import { launch, type PostgresServer, serverAccount, within } from './start-postgres.ts'

/** A server that follows the other, which is stopped for a moment. `settings` as in postgresql.conf. */
export const startStandby = async (
  primary: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> => {
  const { folder } = primary
  const data = path.join(folder, 'standby')
  await primary.crash()
  cpSync(primary.data, data, { recursive: true })
  chmodSync(data, 0o700)
  await primary.start()
  follow(data, primary.url)
  const found = binaryFolders().find((binaries) => isOf(within(folder, binaries), data))
  if (found === undefined) throw new Error(HOW_TO_GET_ONE)
  return await launch({ binaries: within(folder, found), data, folder, settings })
}

/** From its next start on a server follows the one at the address. */
export const follow = (data: string, url: string): void => {
  const { hostname, port } = new URL(url)
  writeFileSync(path.join(data, 'standby.signal'), '')
  appendFileSync(
    path.join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=postgres'\nrecovery_target_timeline = 'latest'\n`,
  )
  rmSync(path.join(data, 'postmaster.pid'), { force: true })
  const { uid, gid } = serverAccount()
  if (uid === undefined || gid === undefined) return
  chownSync(data, uid, gid)
  for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(data, name), uid, gid)
}

/** Whether the binaries are of the version that made the data. */
const isOf = (binaries: string, data: string): boolean => {
  const { stdout } = spawnSync(path.join(binaries, 'postgres'), ['--version'], { ...serverAccount(), encoding: 'utf8' })
  return stdout.includes(` ${readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim()}.`)
}
