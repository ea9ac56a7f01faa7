// Backs a database up, and says how that went.
import { backupSqlite } from '../../src/sqlite/index.ts'

const [, , file = '', to = ''] = process.argv
const backup = backupSqlite({ file, to, replace: false, files: [] })
console.log(await backup.then(() => 'done').catch((error: Error) => `refused ${error.message}`))
