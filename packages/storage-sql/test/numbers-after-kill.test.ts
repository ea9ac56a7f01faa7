import { it } from 'vitest'
import { killWhileCounting } from './kill-while-counting.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

it('loses nothing of the numbers and counts nothing twice, whenever the process is killed', async () => {
  await killWhileCounting(await newDatabase(), openStorage)
})
