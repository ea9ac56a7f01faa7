import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { WholeFile } from '../src/whole-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('a file that is there once it is whole', () => {
  const folder = temporaryFolder()

  it('leaves nothing behind when its last bytes, or its name, cannot be given to it', async () => {
    const path = folder.path('out.ndjson')
    const file = await WholeFile.begin(path, true)
    await file.write('what others may not read')
    await mkdir(path)
    await expect(file.finish()).rejects.toMatchObject({ name: 'FileNotWritable' })
    expect(await folder.list()).toEqual(['out.ndjson'])
  })

  it('takes away what a command left of it that was killed, and nothing else', async () => {
    const path = folder.path('killed.ndjson')
    const ended = [999_999_999, process.pid].map((pid) => `killed.ndjson.${pid}-0123456789abcdef.part`)
    const others = ['killed.ndjson.20240131.part', `killed.ndjson.${process.ppid}-0123456789abcdef.part`]
    for (const name of [...ended, ...others]) {
      await writeFile(folder.path(name), 'x')
      await utimes(folder.path(name), 0, 0)
    }
    const unremovable = 'killed.ndjson.999999998-0123456789abcdef.part'
    await mkdir(folder.path(unremovable))
    await utimes(folder.path(unremovable), 0, 0)
    await (await WholeFile.begin(path)).finish()
    expect((await folder.list()).filter((name) => name.startsWith('killed')).sort()).toEqual(
      ['killed.ndjson', unremovable, ...others].sort(),
    )
  })

  it('does not take the name of a file that was made meanwhile, unless it may', async () => {
    const path = folder.path('meanwhile.ndjson')
    const [one, other] = [await WholeFile.begin(path), await WholeFile.begin(path, true)]
    await writeFile(path, 'precious')
    await expect(one.finish()).rejects.toThrow('There is a')
    expect(await readFile(path, 'utf8')).toBe('precious')
    await other.finish()
    expect(await readFile(path, 'utf8')).toBe('')
  })

  it('keeps what there is of it if it cannot be whole, where it is told to', async () => {
    const path = folder.path('kept.ndjson')
    const file = await WholeFile.begin(path)
    await file.write('ada was deleted')
    await writeFile(path, '')
    const failure = await file.finish({ keepsDraft: true }).catch(({ message }: Error) => message)
    const [draft = ''] = (await folder.list()).filter((name) => /^kept\.ndjson\..*\.part$/.test(name))
    expect(failure).toContain(`What there is of it is in '${folder.path(draft)}'.`)
    expect(await readFile(folder.path(draft), 'utf8')).toBe('ada was deleted')
  })
})
