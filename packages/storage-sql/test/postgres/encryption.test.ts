import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres, openPostgresStorage } from '../../src/postgres/index.ts'
import { type PostgresServer, serverAccount, startPostgres } from '../postgres-server/start-postgres.ts'
import { SELF_SIGNED } from './self-signed.ts'

let server: PostgresServer
let folder: string
const fileOf = (name: string) => path.join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'rollcall-tls-'))
  chmodSync(folder, 0o711)
  const { uid, gid } = serverAccount()
  for (const [name, text] of Object.entries(SELF_SIGNED)) {
    writeFileSync(fileOf(name), text, { mode: 0o600 })
    if (uid !== undefined && gid !== undefined) chownSync(fileOf(name), uid, gid)
  }
  writeFileSync(fileOf('authority'), SELF_SIGNED.cert)
  server = await startPostgres({ fsync: 'off', ssl: 'on', ssl_cert_file: fileOf('cert'), ssl_key_file: fileOf('key') })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const address = (query: string, host = 'localhost'): string => {
  const url = Object.assign(new URL(server.url), { hostname: host })
  return `${url.href}?${query}`
}

describe('a connection to a server that encrypts', () => {
  it('is encrypted, once the server has proved its name to an authority that the URL trusts', async () => {
    const url = address(`sslrootcert=${fileOf('authority')}`)
    await migratePostgres(url)
    const { client, close } = await openPostgresStorage({ url })
    const query = 'SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
    expect((await client.query({ text: query })).rows).toEqual([{ ssl: true, version: 'TLSv1.3' }])
    await close()
  })

  it('is refused where the certificate is not trusted, or where its name is another', async () => {
    const untrusted = migratePostgres(address('sslmode=verify-full'))
    await expect(untrusted).rejects.toThrow('no certificate that can be trusted')
    const misnamed = migratePostgres(address(`sslrootcert=${fileOf('authority')}`, '127.0.0.1'))
    await expect(misnamed).rejects.toThrow('no certificate that can be trusted')
  })

  it('asks for less where the URL says so', async () => {
    for (const query of [
      `sslmode=verify-ca&sslrootcert=${fileOf('authority')}`,
      'sslmode=require',
      'sslmode=no-verify',
      'sslmode=disable',
    ])
      expect([query, await migratePostgres(address(query, '127.0.0.1'))]).toEqual([query, []])
  })
})
