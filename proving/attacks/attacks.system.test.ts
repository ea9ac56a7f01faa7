import { expect, it } from 'vitest'
import { isWithin } from '../shared/report.ts'
import { ATTACKS } from './attacks.ts'

// What measures time, memory or processors is no test: npm run check:attacks does that.
const CHECKED = ['trail', 'mail-bombs']

it.each(ATTACKS.filter(({ name }) => CHECKED.includes(name)))(
  'nothing is achieved by the attack $name',
  async (attack) => {
    const rows = await attack.run({ samples: 0, isQuick: true })
    expect(rows.filter((row) => !isWithin(row))).toEqual([])
    expect(rows.length).toBeGreaterThan(0)
  },
)
