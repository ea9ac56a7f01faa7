import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { Home } from './running-service.ts'

const KEPT = ['rollcall.db', 'rollcall.db-wal', 'rollcall.db-shm', 'rollcall.db.serving', 'secret', 'signing-keys.json']
const REFUSAL = 'is where the service keeps its own data. Give another name, outside of its data folder.'

const madeHome = async (): Promise<Home> => {
  const home = await Home.make()
  expect((await home.run('migrate')).code).toBe(0)
  expect((await home.run('token', 'issue', '--subject', 'admin', '--role', 'admin')).code).toBe(0)
  await writeFile(path.join(home.folder, 'rows.ndjson'), '{"email":"maria@example.com"}\n')
  return home
}

describe('what the service keeps', () => {
  it('is never written over by the answer of a command, whatever that is called', async () => {
    await using home = await madeHome()
    const inFolder = (name: string) => path.join(home.folder, name)
    const before = await readFile(inFolder('data/secret'), 'utf8')
    await symlink('data', inFolder('elsewhere'))
    await symlink(inFolder('data/secret'), inFolder('by-symbol'))
    await link(inFolder('data/secret'), inFolder('by-link'))
    const named = [...KEPT.map((name) => `data/${name}`), 'elsewhere/../data/secret', 'by-symbol', 'by-link']
    for (const name of [...named, 'elsewhere/rollcall.db', inFolder('data/mail/1.eml'), 'data/templates/en/x.txt']) {
      const { code, stderr } = await home.run('subscription', 'export', '--output', name)
      expect({ name, code, stderr }).toEqual({ name, code: 2, stderr: `error: '${name}' ${REFUSAL}\n` })
    }
    expect(await readFile(inFolder('data/secret'), 'utf8')).toBe(before)
    expect((await home.run('user', 'list')).code).toBe(0)
  })

  it('is written over by no command that writes a file', async () => {
    await using home = await madeHome()
    const secret = () => readFile(path.join(home.folder, 'data/secret'), 'utf8')
    const before = await secret()
    await mkdir(path.join(home.folder, 'data/mail'), { recursive: true, mode: 0o700 })
    for (const args of [
      ['subscription', 'import', 'rows.ndjson', '--report', 'data/secret'],
      ['user', 'delete', 'brian', '--plan', 'data/rollcall.db-journal'],
      ['user', 'delete', 'brian', '--yes', '--report', 'data/mail/report.csv'],
      ['backup', 'data/secret', '--replace'],
      ['backup', 'data/rollcall.db', '--replace'],
      ['restore', 'drill.db', '--yes', '--keep', 'data/secret'],
    ]) {
      const { code, stderr } = await home.run(...args)
      expect({ args, code, refused: stderr.includes(REFUSAL) }).toEqual({ args, code: 2, refused: true })
    }
    expect(await secret()).toBe(before)
    expect((await home.run('subscription', 'list')).stdout).not.toContain('maria')
  })

  it('does not keep others from writing beside it', async () => {
    await using home = await madeHome()
    expect((await home.run('subscription', 'export', '--output', 'data/all.ndjson')).code).toBe(0)
    expect((await home.run('backup', 'data/rollcall.db.copy')).code).toBe(0)
  })
})
