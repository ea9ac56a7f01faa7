import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { clientFiles, GENERATED } from './client/client-files.ts'

/**
 * Writes the types and the routes of the client as the OpenAPI document has them.
 *
 *     npm run generate
 */
const folder = path.join(import.meta.dirname, '..', GENERATED)
mkdirSync(folder, { recursive: true })
for (const [name, text] of clientFiles()) writeFileSync(path.join(folder, name), text)
