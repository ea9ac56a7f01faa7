import type { Check } from './check.ts'
import { failed, ok, warning } from './finding.ts'

const SHOWN = 3

/** The database: whether it can be opened, its version, and whether it is sound. */
export const checkStorage: Check = {
  name: 'storage',
  run: async ({ storage, storageProblem, config }) => {
    if (storage === undefined) return storageProblem === undefined ? [] : [storageProblem]
    const name = config.postgresUrl === undefined ? `The database ${config.databaseFile}` : 'The PostgreSQL database'
    if (storage.missing.length > 0)
      return [warning(`${name} is of an older version.`, 'Run `rollcall migrate`, or start the server once.')]
    const damage = await storage.damage()
    if (damage.length === 0) return [ok(`${name} is up to date, and sound.`)]
    const found = `${damage.slice(0, SHOWN).join('; ')}${damage.length > SHOWN ? ' and more' : ''}`
    return [failed(`${name} is damaged: ${found}.`, 'Stop the server, and put it back from a backup.')]
  },
}
