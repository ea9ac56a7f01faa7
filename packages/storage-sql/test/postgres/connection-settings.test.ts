import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectionSettings, StorageNotUsable } from '../../src/postgres/index.ts'

const poolOf = (url: string) => connectionSettings(url).pool

describe('the address of a server', () => {
  it('says where it is and who asks', () => {
    expect(connectionSettings('postgres://ada:p%40ss@db.example.com:6543/roll%20call')).toMatchObject({
      server: 'db.example.com:6543/roll call',
      endpoints: [{ host: 'db.example.com', port: 6543 }],
      pool: { user: 'ada', password: 'p@ss', database: 'roll call', max: 10 },
    })
    expect(connectionSettings('postgresql://[::1]/x')).toMatchObject({
      endpoints: [{ host: '::1', port: 5432 }],
      pool: { application_name: 'rollcall' },
    })
    expect(connectionSettings('postgres:///x?host=/run/postgresql&pool=25')).toMatchObject({
      endpoints: [{ host: '/run/postgresql', port: 5432 }],
      pool: { max: 25 },
    })
  })

  it('may be that of several, one of which takes writes', () => {
    const url = 'postgres://ada:a,b%40@one.example:6543,two.example,[::1]:7000/x?target_session_attrs=read-write'
    expect(connectionSettings(url)).toMatchObject({
      server: 'one.example:6543,two.example:5432,::1:7000/x',
      endpoints: [
        { host: 'one.example', port: 6543 },
        { host: 'two.example', port: 5432 },
        { host: '::1', port: 7000 },
      ],
      pool: { user: 'ada', password: 'a,b@', ssl: {} },
    })
    expect(poolOf('postgres://127.0.0.1:1,localhost:2/x').ssl).toBe(false)
  })

  it('verifies a server elsewhere by default', () => {
    for (const url of [
      'postgres://db.example.com/x',
      'postgres://10.0.0.1/x',
      'postgres://localhost/x?sslmode=verify-full',
    ])
      expect(poolOf(url).ssl).toEqual({})
    for (const url of [
      'postgres://localhost/x',
      'postgres://127.0.0.1/x',
      'postgres://db.example.com/x?sslmode=disable',
    ])
      expect(poolOf(url).ssl).toBe(false)
    for (const mode of ['no-verify', 'require'])
      expect(poolOf(`postgres://db.example.com/x?sslmode=${mode}`).ssl).toEqual({ rejectUnauthorized: false })
    const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-ca-'))
    writeFileSync(path.join(folder, 'ca.pem'), 'an authority')
    expect(poolOf(`postgres://localhost/x?sslrootcert=${folder}/ca.pem`).ssl).toEqual({ ca: 'an authority' })
    expect(poolOf(`postgres://x/x?sslmode=require&sslrootcert=${folder}/ca.pem`).ssl).toEqual({
      ca: 'an authority',
      checkServerIdentity: expect.any(Function),
    })
    rmSync(folder, { recursive: true })
  })

  it('names the authority where only the certificate is verified: any public one would do otherwise', () => {
    for (const url of ['postgres://x/x?sslmode=verify-ca', 'postgres://x/x?sslmode=verify-ca&sslcert=/dev/null'])
      expect(() => connectionSettings(url)).toThrow(
        'has sslmode=verify-ca without sslrootcert. Add sslrootcert=<file with the authority>, or use sslmode=verify-full',
      )
  })

  it('is refused with an authority that is an empty file, which the driver would take for all public ones', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-ca-'))
    writeFileSync(path.join(folder, 'empty.pem'), '')
    for (const mode of ['', '&sslmode=verify-ca', '&sslmode=require'])
      expect(() => connectionSettings(`postgres://x/x?sslrootcert=${folder}/empty.pem${mode}`)).toThrow(
        'is an empty file',
      )
    rmSync(folder, { recursive: true })
  })

  it.skipIf(process.platform === 'win32')('is refused with files that others may write, or a key they may read', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-ca-'))
    const settingsWith = (name: string, mode: number) => {
      const file = path.join(folder, name)
      writeFileSync(file, 'some text')
      chmodSync(file, mode)
      return () => connectionSettings(`postgres://x/x?${name}=${file}`)
    }
    for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
      expect(settingsWith(name, 0o646)).toThrow(`${name}) is open to other users. Close it: chmod`)
    for (const name of ['sslrootcert', 'sslcert']) expect(settingsWith(name, 0o644)).not.toThrow()
    const key = settingsWith('sslkey', 0o604)
    // As root's, the system may have mounted it.
    if (process.getuid?.() === 0) expect(key).not.toThrow()
    else expect(key).toThrow('Close it: chmod 600')
    expect(settingsWith('sslkey', 0o600)).not.toThrow()
    rmSync(folder, { recursive: true })
  })

  it('is refused with what is wrong with it, and without what is secret in it', () => {
    const wrong = [
      'mysql://ada:hush@localhost/x',
      'not an address',
      'postgres://ada:hush@localhost/x?sslmode=prefer',
      'postgres://ada:hush@localhost/x?target_session_attrs=any',
      'postgres://ada:hush@one:1,two:x/x',
      'postgres://ada:hush%@localhost/x',
      'postgres://ada%:hush@localhost/x',
      'postgres://ada:hush@local%host/x',
      'postgres://ada:hush@localhost/x%',
      `postgres://ada:hush@${'one,'.repeat(6)}/x`,
      'postgres://ada:hush@localhost/x?pool=1',
      'postgres://ada:hush@localhost/x?pool=many',
      'postgres://ada:hush@localhost/x?statement_timeout=0',
      'postgres://ada:hush@localhost/x?sslmode=verify-ca',
      'postgres://ada:hush@localhost/x?sslmode=verify-ca&sslrootcert=',
      'postgres://ada:hush@localhost/x?sslrootcert=/not/there.pem',
    ]
    for (const url of wrong) {
      expect(() => connectionSettings(url)).toThrow(StorageNotUsable)
      expect(() => connectionSettings(url)).not.toThrow('hush')
    }
  })
})
