import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Takes out of every `package-lock.json` which versions of Node.js each package asks for, and where it came from. Here
 * every package runs on a Node.js that is new enough, whichever one runs npm; with these entries npm would warn of each.
 *
 *     npm install some-package && npm run lockfile
 */
const ROOT = path.join(import.meta.dirname, '..')
for (const name of globSync('{.,tools/*}/package-lock.json', { cwd: ROOT })) {
  const file = path.join(ROOT, name)
  const lockfile: { packages: Record<string, { engines?: unknown; link?: boolean; resolved?: string }> } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  for (const entry of Object.values(lockfile.packages)) {
    delete entry.engines
    if (!entry.link) delete entry.resolved
  }
  writeFileSync(file, `${JSON.stringify(lockfile, undefined, 2)}\n`)
}
