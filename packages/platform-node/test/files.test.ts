import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createPrivateFileSync,
  draftOf,
  hasErrorCode,
  isOwnLink,
  makePrivateFolderSync,
  ownPlaceSync,
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

it('sweeps what a process left that was killed while it wrote', async () => {
  const folder = await emptyFolder()
  const file = path.join(folder, 'anchor')
  const [old, fresh] = [draftOf(file), draftOf(file)]
  for (const draft of [old, fresh]) await writeFile(draft, 'half')
  const before = new Date(Date.now() - 2 * 3_600_000)
  await utimes(old, before, before)
  await replacePrivateFile(file, 'whole')
  expect((await readdir(folder)).sort()).toEqual(['anchor', path.basename(fresh)])
})

// The names of drafts in a shared folder must not be known before they are there.
it.skipIf(process.platform === 'win32')('writes through no link that lies where its draft would', async () => {
  const [folder, home] = [await emptyFolder(), await emptyFolder()]
  const file = path.join(folder, 'anchor')
  const drafts = [`${file}.${process.pid}`, ...Array.from({ length: 50 }, (_, n) => `${file}.${process.pid}-${n}`)]
  for (const draft of drafts) await symlink(path.join(home, 'astray'), draft)
  expect(createPrivateFileSync(file, 'first')).toBe(true)
  await replacePrivateFile(file, 'second')
  expect(await readFile(file, 'utf8')).toBe('second')
  expect(await readdir(home)).toEqual([])
  expect((await readdir(folder)).length).toBe(drafts.length + 1)
})

describe.skipIf(process.platform === 'win32')('the place of a file', () => {
  const ROOT = 0

  it('is where links of this user and of root lead to, and need not be there', async () => {
    const folder = await realpath(await emptyFolder())
    await mkdir(path.join(folder, 'real/deep'), { recursive: true })
    await symlink('real/deep', path.join(folder, 'link'))
    await symlink(path.join(folder, 'link/none'), path.join(folder, 'absolute'))
    await symlink('absolute', path.join(folder, 'far'))
    await symlink('loop', path.join(folder, 'loop'))
    const place = (name: string) => path.relative(folder, ownPlaceSync(`${folder}/${name}`))
    for (const [name, real] of [
      ['plain', 'plain'],
      ['none/deeper', 'none/deeper'],
      ['link', 'real/deep'],
      ['link/x', 'real/deep/x'],
      ['link/../x', 'real/x'],
      ['./link//x', 'real/deep/x'],
      ['far', 'real/deep/none'],
    ] as const)
      expect([name, place(name)]).toEqual([name, real])
    expect(ownPlaceSync('plain')).toBe(path.join(process.cwd(), 'plain'))
    expect(ownPlaceSync('/')).toBe('/')
    expect(() => place('loop')).toThrow('ELOOP')
  })

  it.each([
    ['this user', 1000, 1000, true],
    ['root', ROOT, 1000, true],
    ['another', 1001, 1000, false],
    ['another, for root', 1000, ROOT, false],
  ])('may be told by a link of %s (%i, for %i): %s', (_, owner, self, isOwn) => {
    expect(isOwnLink({ uid: owner }, self)).toBe(isOwn)
  })

  it('may be told by any link where files have no owner', () => {
    expect(isOwnLink({ uid: 0 }, undefined)).toBe(true)
  })
})
