import { mkdir, writeFile } from 'node:fs/promises'
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
    const others = ['killed.ndjson.csv', `killed.ndjson.${process.ppid}-ab.part`]
    for (const name of ['killed.ndjson.999999999-ab.part', ...others]) await writeFile(folder.path(name), 'x')
    await (await WholeFile.begin(path)).finish()
    expect((await folder.list()).filter((name) => name.startsWith('killed')).sort()).toEqual(
      ['killed.ndjson', ...others].sort(),
    )
  })
})
