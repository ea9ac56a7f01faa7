import path from 'node:path'
import { freePort } from '../server.ts'
import type { Trial } from './bench-case.ts'

const FLOORS = path.join(import.meta.dirname, '../floors')

/** A floor as a server: any answer says that it is there. */
export const floor = async (name: string, folder: string, args: readonly string[] = []): Promise<Trial['server']> => {
  const port = await freePort()
  return {
    program: process.execPath,
    args: [path.join(FLOORS, `${name}.ts`), `${port}`, ...args],
    env: { NODE_ENV: 'production' },
    cwd: folder,
    port,
    isReady: () => true,
  }
}
