import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Takes out of `package-lock.json` which versions of Node.js each package asks for. Here every package runs on the
 * Node.js that the lockfile pins, whichever one runs npm; with these entries npm would warn of each of them.
 *
 *     npm install some-package && npm run lockfile
 */
const file = path.join(import.meta.dirname, '../package-lock.json')
const lockfile: { packages: Record<string, { engines?: unknown }> } = JSON.parse(readFileSync(file, 'utf8'))
for (const entry of Object.values(lockfile.packages)) delete entry.engines
writeFileSync(file, `${JSON.stringify(lockfile, undefined, 2)}\n`)
