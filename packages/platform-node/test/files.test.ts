import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hasErrorCode, syncFolder, syncFolderSync, unlessMissing } from '../src/index.ts'

const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-platform-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('tells a file that does not exist from one that cannot be read', async () => {
  const folder = await emptyFolder()
  expect(await unlessMissing(readFile(path.join(folder, 'absent')))).toBeUndefined()
  const failure = unlessMissing(readFile(folder)).catch((error: unknown) => error)
  expect(hasErrorCode(await failure, 'EACCES', 'EISDIR')).toBe(true)
  expect(hasErrorCode(await failure, 'ENOENT')).toBe(false)
  expect(hasErrorCode({ code: 'ENOENT' }, 'ENOENT')).toBe(false)
})

it.skipIf(process.platform === 'win32')('syncs a folder, and says when there is none', async () => {
  const folder = await emptyFolder()
  await syncFolder(folder)
  syncFolderSync(folder)
  const absent = path.join(folder, 'absent')
  await expect(syncFolder(absent)).rejects.toThrow('ENOENT')
  expect(() => syncFolderSync(absent)).toThrow('ENOENT')
})
