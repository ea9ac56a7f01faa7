import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  createPrivateFileSync,
  hasErrorCode,
  makePrivateFolderSync,
  replacePrivateFile,
  syncFolder,
  syncFolderSync,
  unlessMissing,
} from '../src/index.ts'

const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-platform-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('distinguishes a file that does not exist from one that cannot be read', async () => {
  const folder = await emptyFolder()
  expect(await unlessMissing(readFile(path.join(folder, 'absent')))).toBeUndefined()
  const failure = unlessMissing(readFile(folder)).catch((error: unknown) => error)
  expect(hasErrorCode(await failure, 'EACCES', 'EISDIR')).toBe(true)
  expect(hasErrorCode(await failure, 'ENOENT')).toBe(false)
  expect(hasErrorCode({ code: 'ENOENT' }, 'ENOENT')).toBe(false)
})

it.skipIf(process.platform === 'win32')('syncs a folder, and reports a missing folder', async () => {
  const folder = await emptyFolder()
  await syncFolder(folder)
  syncFolderSync(folder)
  const absent = path.join(folder, 'absent')
  await expect(syncFolder(absent)).rejects.toThrow('ENOENT')
  expect(() => syncFolderSync(absent)).toThrow('ENOENT')
})

it('makes folders for this user alone, and leaves those that exist', async () => {
  const folder = await emptyFolder()
  const deep = path.join(folder, 'one/two')
  makePrivateFolderSync(deep)
  makePrivateFolderSync(deep)
  if (process.platform !== 'win32') expect((await stat(path.dirname(deep))).mode & 0o777).toBe(0o700)
  expect((await stat(deep)).isDirectory()).toBe(true)
})

it('creates a file once, for this user alone', async () => {
  const folder = await emptyFolder()
  const file = path.join(folder, 'secret')
  expect([createPrivateFileSync(file, 'first'), createPrivateFileSync(file, 'second')]).toEqual([true, false])
  expect(await readFile(file, 'utf8')).toBe('first')
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['secret'])
  expect(() => createPrivateFileSync(path.join(folder, 'absent/secret'), '')).toThrow('ENOENT')
})

it('replaces a file as a whole, for this user alone, and leaves no draft behind', async () => {
  const folder = await emptyFolder()
  const file = path.join(folder, 'anchor')
  await replacePrivateFile(file, 'first')
  await Promise.all(['second', 'third'].map((text) => replacePrivateFile(file, text)))
  expect(['second', 'third']).toContain(await readFile(file, 'utf8'))
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  await expect(replacePrivateFile(path.join(folder, 'absent/anchor'), '')).rejects.toThrow('ENOENT')
  await mkdir(path.join(folder, 'taken/inside'), { recursive: true })
  await expect(replacePrivateFile(path.join(folder, 'taken'), '')).rejects.toThrow()
  expect((await readdir(folder)).sort()).toEqual(['anchor', 'taken'])
})
