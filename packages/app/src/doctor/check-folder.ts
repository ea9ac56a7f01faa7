import { accessSync, constants, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import type { Check } from './check.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const OTHERS = 0o077
const PRIVATE = ['secret', 'signing-keys.json', 'mail']

/** The data folder and what is private in it: for the user of the service alone. */
export const checkFolder: Check = {
  name: 'data folder',
  run: async ({ config: { DATA_DIR, databaseFile, postgresUrl } }) => {
    const folder = path.resolve(DATA_DIR)
    const found = statOf(folder)
    if (found === undefined)
      return [warning(`There is no folder ${folder} yet.`, 'The first start makes it; or set ROLLCALL_DATA_DIR.')]
    if (!found.isDirectory()) return [failed(`${folder} is no folder.`, 'Name another with ROLLCALL_DATA_DIR.')]
    const files = [folder, ...PRIVATE.map((name) => path.join(folder, name))]
    const ofDatabase = postgresUrl === undefined ? problemsOfDatabase(databaseFile) : []
    const problems = [...files.flatMap(problemsOf), ...ofDatabase, ...rightsOn(folder, found)]
    return problems.length > 0 ? problems : [ok(`${folder} is for this user alone.`)]
  },
}

const statOf = (file: string): Stats | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    // Whoever may not even look finds out below that the folder cannot be used.
    return undefined
  }
}

const problemsOf = (file: string): readonly Finding[] => {
  const found = statOf(file)
  // Windows has no such bits; its files take after their folder.
  if (found === undefined || process.platform === 'win32' || (found.mode & OTHERS) === 0) return []
  return [failed(`${file} is open to other users.`, `Close it: chmod ${found.isDirectory() ? 700 : 600} ${file}`)]
}

/** SQLite gives the files beside a database its own rights, so those are looked at where the database is in order. */
const problemsOfDatabase = (file: string): readonly Finding[] => {
  const problems = problemsOf(file)
  return problems.length > 0 ? problems : ['-wal', '-shm'].flatMap((ending) => problemsOf(`${file}${ending}`))
}

const rightsOn = (folder: string, { uid }: Stats): readonly Finding[] => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [failed(`This user may not read and write in ${folder}.`, 'Run this as the user of the service.')]
  }
  const self = process.getuid?.()
  return self === undefined || self === uid
    ? []
    : [
        warning(
          `${folder} belongs to another user (${uid}).`,
          'Run this, and every command, as the user of the service.',
        ),
      ]
}
