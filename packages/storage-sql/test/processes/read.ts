// Opens the storage, reads, completes an erasure, closes, and says how each went.
import { openSqliteStorage } from '../../src/sqlite/index.ts'

const [, , file = ''] = process.argv
const said = new Set<string>()
const storage = await openSqliteStorage({ file, onCheckpointError: (error) => said.add((error as Error).name) })
console.log(`accountStatus ${await storage.readers.users.accountStatus('a')}`)
console.log(`erased ${await storage.completeErasure()}`)
const releasing = storage.releaseLeases()
console.log(`leases ${await releasing.then(() => 'released').catch((error: Error) => error.name)}`)
await storage.close()
console.log(`closed ${[...said].sort()}`)
