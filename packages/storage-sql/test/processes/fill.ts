// Opens the storage, writes until that is refused, asks for its health, and says how each went.
import type { UserId } from '@rollcall/core'
import { openSqliteStorage } from '../../src/sqlite/index.ts'
import { aTombstone } from '../a-tombstone.ts'

const [, , file = ''] = process.argv
const { unitOfWork, readers } = await openSqliteStorage({ file })
let written = 0
const writeSome = (): Promise<void> =>
  unitOfWork.run(async ({ tombstones }) => {
    for (let n = 0; n < 500; n++) await tombstones.put(`${written}-${n}`.padEnd(200, 'x') as UserId, aTombstone)
    written++
  })
const outcome = async (asked: () => Promise<unknown>): Promise<string> =>
  asked().then(
    () => 'done',
    (error: Error) => error.name,
  )
while ((await outcome(writeSome)) === 'done');
console.log(`health ${await outcome(() => readers.outbox.health())}`)
console.log(`unit ${await outcome(writeSome)}`)
console.log(`${written > 0 ? 'some were' : 'nothing was'} written`)
process.exit()
