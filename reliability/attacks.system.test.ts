import { expect, it } from 'vitest'
import { fromSource } from '../proving/shared/service.ts'
import { type AttackContext, isWithin } from './attacks/attack.ts'
import { ATTACKS } from './attacks/attacks.ts'

const CONTEXT: AttackContext = {
  store: 'sqlite',
  server: undefined,
  product: fromSource,
  samples: 0,
  isQuick: true,
  log: () => undefined,
}

// What measures time, memory or processors is no test: npm run check:attacks does that.
it.each(['tokens', 'feedback', 'planted-files', 'trail', 'restores'])(
  'nothing is achieved by the attack %s',
  async (name) => {
    const figures = await ATTACKS[name]?.run(CONTEXT)
    expect(figures?.filter((figure) => !isWithin(figure))).toEqual([])
    expect(figures?.every(({ bound }) => bound === 0)).toBe(true)
  },
)
