import { appendFile, rename, rm, writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { importSource } from '../src/transfer/import-source.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

/** The text of the file, of which something happens once its first bytes are there. */
const readWhile = async (path: string, happens: () => Promise<void>): Promise<string> => {
  let text = ''
  for await (const piece of importSource(path, new PassThrough(), new AbortController().signal)) {
    if (text === '') await happens()
    text += Buffer.from(piece).toString()
  }
  return text
}

it('gives nothing of a file that was read after it changed', async () => {
  const path = await folder.write('people.csv', `email\n${'a@example.com\n'.repeat(30_000)}`)
  const source = importSource(path, new PassThrough(), new AbortController().signal)
  expect((await source.next()).done).toBe(false)
  await writeFile(path, `email\n${'bob@example.com\n'.repeat(30_000)}`)
  await expect(source.next()).rejects.toThrow(/changed while it was read/)
})

it.each([
  ['grows', (path: string) => appendFile(path, 'b@example.com\n')],
  ['is written anew', (path: string) => writeFile(path, 'email\nbob@example.com\n')],
])('fails if the file %s while it is read: half a row may be of another one', async (_, change) => {
  const path = await folder.write('people.csv', 'email\na@example.com\n')
  await expect(readWhile(path, () => change(path))).rejects.toThrow(/changed while it was read/)
})

it.each([
  ['another one takes its place', (path: string, other: string) => rename(other, path)],
  ['it is removed', (path: string) => rm(path)],
])('reads the file that was there if %s', async (_, change) => {
  const path = await folder.write('people.csv', 'email\na@example.com\n')
  const other = await folder.write('other.csv', 'email\nbob@example.com\n')
  expect(await readWhile(path, () => change(path, other))).toBe('email\na@example.com\n')
})
