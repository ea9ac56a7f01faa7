import type { Random } from '../shared/random.ts'
import type { Arrival, FileChange, FolderChange } from './disk-node.ts'

/** What becomes of unsynced changes in a power loss. */
export interface Survival {
  readonly name: string
  arrivalsOf(change: FileChange): readonly Arrival[]
  keepsName(change: FolderChange): boolean
}

const SECTOR = 512
const PAGE = 4096
const ZEROS = new Uint8Array(1)
const PERCENT = 100

/** Only what was synced. */
export const nothing: Survival = { name: 'nothing', arrivalsOf: () => [], keepsName: () => false }

/** As after `kill -9`, which the operating system survives. */
export const everything: Survival = {
  name: 'everything',
  arrivalsOf: (change) => [change],
  keepsName: () => true,
}

const whole = (name: string, keeps: (moment: number) => boolean): Survival => ({
  name,
  arrivalsOf: (change) => (keeps(change.moment) ? [change] : []),
  keepsName: ({ moment }) => keeps(moment),
})

const anyOf = (random: Random, pending: readonly number[]): number => (pending.length === 0 ? 0 : random.pick(pending))

/** A disk that writes in order, with a delay. */
const inOrder = (random: Random, pending: readonly number[]): Survival => {
  const last = anyOf(random, pending)
  return whole(`in order, up to ${last}`, (moment) => moment <= last)
}

const some = (random: Random): Survival => {
  const share = random.whole(0, PERCENT - 1)
  return whole(`${share} % in any order`, () => random.whole(0, PERCENT - 1) < share)
}

const allButOne = (random: Random, pending: readonly number[]): Survival => {
  const lost = anyOf(random, pending)
  return whole(`all but ${lost}`, (moment) => moment !== lost)
}

const onlyOne = (random: Random, pending: readonly number[]): Survival => {
  const kept = anyOf(random, pending)
  return whole(`only ${kept}`, (moment) => moment === kept)
}

/** Torn writes: each piece is written or lost by itself. */
const torn = (random: Random, size: number): Survival => {
  const share = random.whole(0, PERCENT - 1)
  const keeps = () => random.whole(0, PERCENT - 1) < share
  return {
    name: `${share} % in pieces of ${size} bytes`,
    arrivalsOf: (change) => (change.kind === 'write' ? pieces(change, size) : [change]).filter(keeps),
    keepsName: keeps,
  }
}

const pieces = (change: FileChange & { kind: 'write' }, size: number): FileChange[] => {
  const { moment, offset, bytes } = change
  const result: FileChange[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + size - ((offset + from) % size))
    result.push({ kind: 'write', moment, offset: offset + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return result
}

/** Names and sizes are written before the bytes, which are zeros or garbage. */
const sizesFirst = (random: Random): Survival => {
  const garbage = random.fraction() < 0.5
  const fill = garbage ? Uint8Array.from({ length: SECTOR }, () => random.whole(0, 255)) : ZEROS
  const arrivalOf = (change: FileChange): Arrival =>
    change.kind === 'resize' ? change : { kind: 'growth', size: change.offset + change.bytes.length, fill }
  return {
    name: `names and sizes, and ${garbage ? 'garbage' : 'zeros'} for bytes`,
    arrivalsOf: (change) => [arrivalOf(change)],
    keepsName: () => true,
  }
}

/** The bytes are written, and the names are not. */
const bytesFirst: Survival = {
  ...everything,
  name: 'bytes without names',
  keepsName: () => false,
}

/** One of these, at random. */
export const anySurvival = (random: Random, pending: readonly number[]): Survival =>
  random.pick([
    () => nothing,
    () => nothing,
    () => everything,
    () => inOrder(random, pending),
    () => some(random),
    () => allButOne(random, pending),
    () => onlyOne(random, pending),
    () => torn(random, SECTOR),
    () => torn(random, PAGE),
    () => sizesFirst(random),
    () => bytesFirst,
  ])()
