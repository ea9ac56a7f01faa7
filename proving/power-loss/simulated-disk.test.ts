import { expect, it } from 'vitest'
import { Random } from '../shared/random.ts'
import { type RecordedOperation, ROOT } from './operation.ts'
import { SimulatedDisk } from './simulated-disk.ts'
import { anySurvival, everything, nothing } from './survival.ts'

const FILE = 1
const text = (written: string): Uint8Array => Buffer.from(written)

const after = (survival: Parameters<SimulatedDisk['contentAfter']>[0], ...operations: RecordedOperation[]) => {
  const disk = new SimulatedDisk()
  for (const operation of operations) disk.apply(operation)
  const content = [...disk.contentAfter(survival)]
  return Object.fromEntries(content.map(([name, bytes]) => [name, bytes && Buffer.from(bytes).toString()]))
}

const named: RecordedOperation = { kind: 'name', folder: ROOT, name: 'draft', node: FILE, moment: 1 }
const written: RecordedOperation = { kind: 'write', node: FILE, offset: 0, bytes: text('whole'), moment: 2 }
const fileSynced: RecordedOperation = { kind: 'sync', node: FILE, begun: 3, moment: 4 }
const renamed: RecordedOperation = { kind: 'rename', folder: ROOT, name: 'draft', to: 'mail', node: FILE, moment: 5 }
const folderSynced: RecordedOperation = { kind: 'sync', node: ROOT, begun: 6, moment: 7 }

it('loses a file that was synced, but for whose name its folder was not', () => {
  expect(after(nothing, named, written, fileSynced)).toEqual({})
  expect(after(everything, named, written, fileSynced)).toEqual({ draft: 'whole' })
})

it('loses the bytes of a file of which only the name was synced', () => {
  expect(after(nothing, named, written, renamed, folderSynced)).toEqual({ mail: '' })
  expect(after(nothing, named, written, fileSynced, renamed, folderSynced)).toEqual({ mail: 'whole' })
})

it('keeps what was done before a sync had begun, and may lose what was done while it ran', () => {
  const meanwhile: RecordedOperation = { kind: 'write', node: FILE, offset: 0, bytes: text('later'), moment: 3.5 }
  expect(after(nothing, named, written, meanwhile, fileSynced, folderSynced)).toEqual({ draft: 'whole' })
})

it('gives back the old name of a file whose new one was not synced', () => {
  const once: RecordedOperation = { kind: 'sync', node: ROOT, begun: 4.5, moment: 4.6 }
  expect(after(nothing, named, written, fileSynced, once, renamed)).toEqual({ draft: 'whole' })
})

it('loses nothing that was synced, whatever else it loses', () => {
  const random = new Random(1)
  const more: RecordedOperation = { kind: 'write', node: FILE, offset: 5, bytes: text(' and more'), moment: 8 }
  for (let n = 0; n < 200; n++) {
    const content = after(anySurvival(random, [8]), named, written, fileSynced, renamed, folderSynced, more)
    expect(content.mail?.slice(0, 5)).toBe('whole')
  }
})
