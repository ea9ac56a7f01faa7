import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { distinct } from '../distinct.ts'
import { command } from '../rollcall/rollcall.ts'

/** A data folder in which so many mails are owed, and none was tried. */
export const makeBacklog = async (folder: string, mails: number): Promise<void> => {
  await mkdir(folder)
  await command(folder, 'migrate')
  const file = path.join(folder, 'owed.ndjson')
  await pipeline(Readable.from(rows(mails)), createWriteStream(file))
  await command(folder, 'subscription', 'import', file, '--mail', 'send')
  await rm(file)
}

function* rows(count: number): Generator<string> {
  for (let number = 0; number < count; number++) yield `{"email":"owed.${distinct(number)}@example.com"}\n`
}
