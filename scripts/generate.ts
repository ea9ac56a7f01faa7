import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { clientFiles, GENERATED } from './client/client-files.ts'
import { REFERENCE, referencePages } from './docs/reference-pages.ts'

/**
 * Writes what follows from the code: the types and the routes of the client, as the OpenAPI document has them, and the
 * pages of the reference.
 *
 *     npm run generate
 */
const write = (where: string, files: ReadonlyMap<string, string>): void => {
  const folder = path.join(import.meta.dirname, '..', where)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text)
}

write(GENERATED, clientFiles())
write(REFERENCE, await referencePages())
