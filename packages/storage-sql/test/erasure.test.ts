import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { UserId } from '@rollcall/core'
import { expect, it } from 'vitest'
import type { SqliteStorage } from '../src/sqlite/index.ts'
import { startChild } from './child-process.ts'
import { lookAt, newDatabase, openStorage } from './temporary-storage.ts'

// The same in every run: of what this erases, SQLite's own overwriting leaves one name in the file.
const numbers = (): (() => number) => {
  let state = 99
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Users of many lengths come and go, so that their rows move about; resolves with the names of those who went. */
const comeAndGo = async ({ unitOfWork }: SqliteStorage): Promise<string[]> => {
  const random = numbers()
  const there = new Map<string, string>()
  const gone: string[] = []
  const put = (id: string, name: string) =>
    unitOfWork.run(({ users }) => {
      const email = `${name}@example.com`
      return users.put({ id: id as UserId, email, emailKey: email, name, roles: [], createdAt: 1, updatedAt: 1 })
    })
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 50; i++) {
      const name = `zq${Math.floor(random() * 1e9).toString(36)}unmist${round}x${i}${'y'.repeat(random() * 30)}`
      there.set(`u${round}-${i}`, name)
    }
    await Promise.all([...there].slice(-50).map(([id, name]) => put(id, name)))
    const leaving = [...there].filter(() => random() < 0.4)
    await Promise.all(leaving.map(([id]) => unitOfWork.run(({ users }) => users.erase(id as UserId))))
    for (const [id, name] of leaving) {
      there.delete(id)
      gone.push(name)
    }
  }
  return gone
}

const foundBeside = (file: string, names: readonly string[]): string[] => {
  const folder = path.dirname(file)
  const bytes = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'))
  return names.filter((name) => bytes.some((text) => text.includes(name)))
}

it('leaves no copy of an erased user behind, wherever its row had been, once the erasure is complete', async () => {
  const file = await newDatabase()
  const storage = await openStorage(file)
  const gone = await comeAndGo(storage)
  await storage.truncateLog()
  expect(foundBeside(file, gone)).not.toEqual([])
  expect(await storage.completeErasure()).toBe(true)
  expect(await storage.truncateLog()).toBe(true)
  expect(foundBeside(file, gone)).toEqual([])
})

it('remembers over a restart that there is something left to clean', async () => {
  const file = await newDatabase()
  const storage = await openStorage(file)
  const gone = await comeAndGo(storage)
  await storage.close()
  expect(foundBeside(file, gone)).not.toEqual([])
  const again = await openStorage(file)
  expect(await again.completeErasure()).toBe(true)
  await again.truncateLog()
  expect(foundBeside(file, gone)).toEqual([])
})

it('loses nothing, and lets units and other processes write while the file is cleaned', async () => {
  const file = await newDatabase()
  const storage = await openStorage(file)
  await comeAndGo(storage)
  const put = (n: number) =>
    storage.unitOfWork.run(({ users }) => {
      const user = { id: `late-${n}` as UserId, email: `${n}@x`, emailKey: `${n}@x`, name: '', roles: ['admin'] }
      return users.put({ ...user, createdAt: 1, updatedAt: 1 })
    })
  const before = await storage.readers.users.list({ after: 0, limit: 1_000 })
  await Promise.all([storage.completeErasure(), ...Array.from({ length: 200 }, (_, n) => put(n))])
  const { items } = await storage.readers.users.list({ after: 0, limit: 1_000 })
  expect(items).toHaveLength(before.items.length + 200)
  expect(lookAt(file, (database) => database.pragma('integrity_check'))).toBe('ok')
})

it('cleans beside another process that writes all the time, whose every answered row stays', async () => {
  const file = await newDatabase()
  const storage = await openStorage(file)
  const other = startChild('write-until-killed.ts', [file, 'other'])
  await other.line('other50')
  const gone = await comeAndGo(storage)
  let cleaned = 0
  for (let round = 0; round < 5; round++) if (await storage.completeErasure()) cleaned++
  await other.kill('SIGKILL')
  for (let attempt = 0; attempt < 20 && !(await storage.completeErasure()); attempt++) cleaned++
  expect(cleaned).toBeGreaterThan(0)
  await storage.truncateLog()
  expect(foundBeside(file, gone)).toEqual([])
  expect(lookAt(file, (database) => database.pragma('integrity_check'))).toBe('ok')
  const answered = other.lines.filter((line) => /^other\d+$/.test(line))
  const users = await Promise.all(answered.map((id) => storage.readers.users.find(id as UserId)))
  expect(users.filter((user) => user === undefined)).toEqual([])
})
