import { cp } from 'node:fs/promises'
import { type BenchCase, outside } from '../cases/bench-case.ts'
import { signUps } from '../cases/traffic.ts'
import { databaseIn, rollcall } from '../rollcall/rollcall.ts'
import { countRows } from '../rows.ts'
import type { Grown } from './grow.ts'

export type Size = 'small' | 'large'

/** Sign-ups where there are few subscriptions already, and where there are many. */
export const growthCases = (
  rows: Readonly<Record<Size, number>>,
  grown: (size: Size) => Promise<Grown>,
): readonly BenchCase[] =>
  (['small', 'large'] as const).map((size) => ({
    name: `growth-post-${size}`,
    title: `POST, Rollcall, beside ${rows[size].toLocaleString('en-US')} subscriptions`,
    status: 200,
    prepare: async () => {
      await grown(size)
    },
    trial: async (folder) => {
      await cp((await grown(size)).folder, folder, { recursive: true })
      const database = databaseIn(folder)
      return {
        server: await rollcall(folder, {}),
        traffic: signUps,
        end: 'SIGKILL',
        disagreements: async (counts) =>
          outside('new subscriptions', countRows(database, 'SELECT count(*) FROM subscription') - rows[size], counts),
      }
    },
  }))
