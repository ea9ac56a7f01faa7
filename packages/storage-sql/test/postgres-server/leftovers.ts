import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from '@rollcall/platform-node'

/** Removes the folders `<prefix><process id>-...` of processes that were killed, and stops the servers that run in them. */
export const removeLeftovers = (parent: string, prefix: string): void => {
  for (const name of namesIn(parent)) {
    const owner = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN)
    if (!Number.isInteger(owner) || isAlive(owner)) continue
    const folder = path.join(parent, name)
    for (const file of namesIn(folder, true).filter((one) => path.basename(one) === 'postmaster.pid'))
      stopServer(path.join(folder, file))
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // It belongs to another account.
    }
  }
}

const namesIn = (folder: string, recursive = false): string[] => {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' })
  } catch {
    return []
  }
}

const stopServer = (pidFile: string): void => {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT')
  } catch {
    // It has stopped already.
  }
}
