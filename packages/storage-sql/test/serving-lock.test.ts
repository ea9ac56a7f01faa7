import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { AlreadyServing, lockForServing, migrateSqlite, StorageNotUsable } from '../src/sqlite/index.ts'
import { startChild } from './child-process.ts'
import { newFolder, openStorage } from './temporary-storage.ts'

const newFile = (): string => path.join(newFolder(), 'rollcall.db')
const lock = async (file: string) => {
  const held = await lockForServing(file)
  onTestFinished(() => held.release())
  return held
}

it('is held by one process at a time, and is free as soon as that one is killed', async () => {
  const file = newFile()
  const child = startChild('serve.ts', [file])
  await child.line('serving')
  await expect(lockForServing(file)).rejects.toBeInstanceOf(AlreadyServing)
  await child.kill('SIGKILL')
  await lock(file)
})

it('removes what a restore that was killed has left, and nothing else', async () => {
  const file = newFile()
  // No process has this number.
  const left = `${file}.4194305-0123456789abcdef.part`
  const others = [`${file}.${process.ppid}-0123456789abcdef.part`, `${file}.part`, `${file}.old`]
  for (const name of [left, ...others]) writeFileSync(name, '')
  await lock(file)
  expect([left, ...others].map((name) => existsSync(name))).toEqual([false, true, true, true])
})

it('is free again once it is released, and may be released twice', async () => {
  const file = newFile()
  const first = await lock(file)
  await expect(lockForServing(file)).rejects.toBeInstanceOf(AlreadyServing)
  first.release()
  first.release()
  const second = await lock(file)
  first.release()
  await expect(lockForServing(file)).rejects.toBeInstanceOf(AlreadyServing)
  second.release()
})

it('is the same by whatever name the database is reached, before it is there and after', async () => {
  const file = newFile()
  const folder = newFolder()
  const toFile = path.join(folder, 'file')
  const toFolder = path.join(folder, 'folder')
  symlinkSync(file, toFile)
  symlinkSync(path.dirname(file), toFolder)
  const names = [toFile, path.join(toFolder, 'rollcall.db'), path.relative(process.cwd(), file)]
  const held = await lock(file)
  for (const name of names) await expect(lockForServing(name)).rejects.toBeInstanceOf(AlreadyServing)
  await migrateSqlite(file)
  for (const name of names) await expect(lockForServing(name)).rejects.toBeInstanceOf(AlreadyServing)
  held.release()
  for (const name of names) (await lock(name)).release()
})

it('keeps no process from reading and writing', async () => {
  const file = newFile()
  await migrateSqlite(file)
  await lock(file)
  const { unitOfWork } = await openStorage(file)
  expect(await unitOfWork.run(async ({ users }) => users.countWithRole('admin'))).toBe(0)
})

it('is one database’s own', async () => {
  const folder = newFolder()
  await lock(path.join(folder, 'a.db'))
  await lock(path.join(folder, 'b.db'))
})

it('says what to do where it cannot be had', async () => {
  const error = await lockForServing('/dev/null/rollcall.db').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StorageNotUsable)
  expect(error).toMatchObject({ problem: 'not-accessible' })
})

it('is seen by a storage that is open beside it', async () => {
  const file = newFile()
  await migrateSqlite(file)
  const storage = await openStorage(file)
  expect(await storage.isServed()).toBe(false)
  const child = startChild('serve.ts', [file])
  await child.line('serving')
  expect(await storage.isServed()).toBe(true)
  await child.kill('SIGKILL')
  expect(await storage.isServed()).toBe(false)
})
