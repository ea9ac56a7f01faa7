import { it } from 'vitest'
import { killWhileCounting } from '../kill-while-counting.ts'
import { onceFree, openStorage, temporaryDatabase } from './temporary-storage.ts'

it('loses nothing of the numbers and counts nothing twice, whenever the process is killed', async () => {
  await killWhileCounting(await temporaryDatabase(), (url) => onceFree(() => openStorage(url)))
})
