import { expect, it } from 'vitest'
import { newDatabase, openStorage } from './temporary-storage.ts'

it('lets others have their turn before it gives a piece of the hashes that get no mail', async () => {
  const { readers } = await openStorage(await newDatabase())
  for (const read of [
    () => readers.suppressions.blockedPrefixes(''),
    () => readers.deliverability.undeliverablePrefixes(0),
  ]) {
    const happened: string[] = []
    setImmediate(() => happened.push('another'))
    await read()
    happened.push('the piece')
    expect(happened).toEqual(['another', 'the piece'])
  }
})
