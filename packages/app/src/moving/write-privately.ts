import { linkSync, rmSync, writeFileSync } from 'node:fs'

/**
 * A file that was not there, for this user alone: it is there once it is whole and on durable storage.
 * @throws {Error} there is one, or it cannot be made
 */
export const writePrivately = (file: string, text: string): void => {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600, flush: true })
    linkSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}
