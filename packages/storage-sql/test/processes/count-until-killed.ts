// Takes sign-ups, many at once, has what they add to the numbers folded again and again, and says which were answered.

import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresStorage } from '../../src/postgres/index.ts'
import { openSqliteStorage } from '../../src/sqlite/index.ts'
import { SOURCE, serviceOn } from '../service-on-file.ts'

const [, , where = '', prefix = ''] = process.argv
const storage = where.startsWith('postgres')
  ? await openPostgresStorage({ url: where })
  : await openSqliteStorage({ file: where })
const { useCases } = serviceOn(storage, Date.now())
let n = 0

const subscribe = async (): Promise<void> => {
  for (;;) {
    const name = `${prefix}${++n}`
    await useCases.subscribe.execute({ email: `${name}@example.com`, source: SOURCE })
    process.stdout.write(`${name}\n`)
  }
}
const fold = async (): Promise<void> => {
  for (;;) {
    await useCases.sealer.seal()
    await sleep(1)
  }
}
await Promise.all([fold(), ...Array.from({ length: 10 }, subscribe)])
