import { mkdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { WholeFile } from '../src/transfer/whole-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('a file that is there once it is whole', () => {
  const folder = temporaryFolder()

  it('leaves nothing behind when its last bytes, or its name, cannot be given to it', async () => {
    const path = folder.path('out.ndjson')
    const file = await WholeFile.begin(path)
    await file.write('what others may not read')
    await mkdir(path)
    await expect(file.finish()).rejects.toMatchObject({ name: 'FileNotWritable' })
    expect(await folder.list()).toEqual(['out.ndjson'])
  })
})
