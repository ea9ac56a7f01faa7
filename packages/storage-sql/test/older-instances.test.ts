import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AlreadyServing, lockForServing } from '../src/sqlite/index.ts'
import { startChild } from './child-process.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

const serve = async (program: string, file: string) => {
  const child = startChild(program, [file])
  await child.line('serving')
  return child
}

describe('an instance of the first release, on SQLite', () => {
  it('is not there while nothing serves, and while this release does, in this process or another', async () => {
    const file = await newDatabase()
    const { olderInstances } = await openStorage(file)
    expect(await olderInstances.present()).toBe(false)
    const lock = await lockForServing(file)
    onTestFinished(() => lock.release())
    expect(await olderInstances.present()).toBe(false)
    // To have looked takes no lock from this process.
    await expect(lockForServing(file)).rejects.toBeInstanceOf(AlreadyServing)
    lock.release()
    const child = await serve('serve.ts', file)
    expect(await olderInstances.present()).toBe(false)
    await child.kill('SIGKILL')
    expect(await olderInstances.present()).toBe(false)
  })

  it('is there while it serves, also after this release has, and until it is killed', async () => {
    const file = await newDatabase()
    const { olderInstances } = await openStorage(file)
    await (await serve('serve.ts', file)).kill('SIGKILL')
    const child = await serve('serve-as-0-1.ts', file)
    expect(await olderInstances.present()).toBe(true)
    await expect(lockForServing(file)).rejects.toBeInstanceOf(AlreadyServing)
    expect(await olderInstances.present()).toBe(true)
    await child.kill('SIGKILL')
    expect(await olderInstances.present()).toBe(false)
  })

  // Permissions would do for any user but root, who may read everything.
  it.each<[string, (lock: string) => void]>([
    ['is a folder', (lock) => mkdirSync(lock)],
    ['is no database', (lock) => writeFileSync(lock, 'not a database'.repeat(300))],
  ])('may be there where its lock cannot be read: it %s', async (_, spoil) => {
    const file = await newDatabase()
    const { olderInstances } = await openStorage(file)
    const lock = await lockForServing(file)
    lock.release()
    expect(await olderInstances.present()).toBe(false)
    rmSync(`${file}.serving`)
    spoil(`${file}.serving`)
    expect(await olderInstances.present()).toBe(true)
  })
})
