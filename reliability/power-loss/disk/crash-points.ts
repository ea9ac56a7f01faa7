import type { Random } from '../../random.ts'
import type { Happening } from './happening.ts'

/** A moment at which the power goes: after so many happenings; and what decides what survives. */
export interface CrashPoint {
  readonly after: number
  readonly random: Random
}

const isPromised = ({ kind }: Happening): boolean => kind === 'answered' || kind === 'mailed' || kind === 'printed'

/** Endlessly: half of them just after something was promised, a quarter just before something is on the disk for good. */
export function* crashPoints(happenings: readonly Happening[], random: Random): Generator<CrashPoint, never> {
  const places = happenings.map((happening, index) => ({ happening, index }))
  const promises = places.filter(({ happening }) => isPromised(happening)).map(({ index }) => index + 1)
  const syncs = places.filter(({ happening }) => happening.kind === 'sync').map(({ index }) => index)
  for (;;) {
    const chance = random.whole(0, 3)
    const after =
      chance < 2 ? random.pick(promises) : chance < 3 ? random.pick(syncs) : random.whole(0, happenings.length)
    yield { after, random: random.fork() }
  }
}
