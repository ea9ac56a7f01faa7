import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectionSettings, StorageNotUsable } from '../../src/postgres/index.ts'

const poolOf = (url: string) => connectionSettings(url).pool

describe('the address of a server', () => {
  it('says where it is and who asks', () => {
    expect(connectionSettings('postgres://ada:p%40ss@db.example.com:6543/roll%20call')).toMatchObject({
      server: 'db.example.com:6543/roll call',
      pool: { host: 'db.example.com', port: 6543, user: 'ada', password: 'p@ss', database: 'roll call', max: 10 },
    })
    expect(poolOf('postgresql://[::1]/x')).toMatchObject({ host: '::1', port: 5432, application_name: 'rollcall' })
    expect(poolOf('postgres:///x?host=/run/postgresql&pool=25')).toMatchObject({ host: '/run/postgresql', max: 25 })
  })

  it('has whoever is beyond this machine prove who it is, unless it says otherwise', () => {
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
    expect(poolOf('postgres://db.example.com/x?sslmode=no-verify').ssl).toEqual({ rejectUnauthorized: false })
    const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-ca-'))
    writeFileSync(path.join(folder, 'ca.pem'), 'an authority')
    expect(poolOf(`postgres://localhost/x?sslrootcert=${folder}/ca.pem`).ssl).toEqual({ ca: 'an authority' })
    rmSync(folder, { recursive: true })
  })

  it('is refused with what is wrong with it, and without what is secret in it', () => {
    const wrong = [
      'mysql://ada:hush@localhost/x',
      'not an address',
      'postgres://ada:hush@localhost/x?sslmode=require',
      'postgres://ada:hush@localhost/x?pool=1',
      'postgres://ada:hush@localhost/x?pool=many',
      'postgres://ada:hush@localhost/x?statement_timeout=0',
      'postgres://ada:hush@localhost/x?sslrootcert=/not/there.pem',
    ]
    for (const url of wrong) {
      expect(() => connectionSettings(url)).toThrow(StorageNotUsable)
      expect(() => connectionSettings(url)).not.toThrow('hush')
    }
  })
})
