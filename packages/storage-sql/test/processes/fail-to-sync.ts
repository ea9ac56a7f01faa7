// Opens the storage on a disk that refuses every sync of the log, writes, and would go on for ever.
import type { UserId } from '@rollcall/core'
import { NotSynced, openSqliteStorage } from '../../src/sqlite/index.ts'
import { LogFile } from '../../src/sqlite/log-file.ts'
import { aTombstone } from '../a-tombstone.ts'

const [, , file = ''] = process.argv
const { unitOfWork } = await openSqliteStorage({ file })
LogFile.prototype.sync = async () => {
  throw new NotSynced(file)
}
setInterval(() => undefined, 1_000)
console.log('asked')
await unitOfWork.run(({ tombstones }) => tombstones.put('gone' as UserId, aTombstone)).catch(() => undefined)
