import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type Planting, planted } from '../plant/planting.ts'
import { type Point, pointsOf } from './points.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const STORES = ['sqlite', 'postgres'] as const

const plantingsAt = (store: (typeof STORES)[number], { killer }: Point): readonly Planting[] =>
  killer.by === 'planting' ? killer.plantings(store, 1) : []

it.each(STORES)('every point on %s can still be planted where it is', (store) => {
  const plantings = pointsOf(store).flatMap((point) => plantingsAt(store, point))
  expect(plantings.length).toBeGreaterThan(5)
  for (const planting of plantings) {
    const source = planted(planting.file, readFileSync(path.join(ROOT, planting.file), 'utf8'), [planting])
    expect(() => stripTypeScriptTypes(source)).not.toThrow()
  }
})
