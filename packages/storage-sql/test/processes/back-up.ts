// Backs a database up, and says how that went; or ends meanwhile.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { backupSqlite } from '../../src/sqlite/index.ts'

const [, , file = '', to = '', leaving] = process.argv
if (leaving !== undefined)
  setInterval(() => {
    if (readdirSync(path.dirname(to)).length === 0) return
    console.log('leaves')
    process.exit()
  }, 1)
const backup = backupSqlite({ file, to, replace: false, files: [] })
console.log(await backup.then(() => 'done').catch((error: Error) => `refused ${error.message}`))
