import type { Starts } from './measure-starts.ts'
import type { CaseResult } from './results.ts'

/** What is to be reached: a figure, and the limit it is held to. */
export interface Target {
  readonly name: string
  readonly value: number
  readonly unit: '' | 'ms' | 'MB'
  readonly limit: number
  readonly reached: boolean
}

/** Those that can be told from what was measured, and counts. */
export const judge = (results: readonly CaseResult[], starts: Starts | undefined): Target[] => {
  const valid = new Map(results.filter(({ faults }) => faults.length === 0).map((result) => [result.name, result]))
  const ratio = (name: string, ours: string, floor: string, limit: number): Target[] => {
    const [a, b] = [valid.get(ours), valid.get(floor)]
    if (!a || !b) return []
    const value = a.rate.median / b.rate.median
    return [{ name, value, unit: '', limit, reached: value >= limit }]
  }
  const below = (name: string, value: number | undefined, unit: 'ms' | 'MB', limit: number): Target[] =>
    value === undefined ? [] : [{ name, value, unit, limit, reached: value < limit }]
  const memory = ['post-rollcall', 'delete-403-rollcall', 'delete-204-rollcall'].flatMap(
    (name) => valid.get(name)?.underLoad.most ?? [],
  )
  return [
    ...ratio('POST / group-commit floor', 'post-rollcall', 'post-group-commit', 0.6),
    ...ratio('POST / bare Koa', 'post-rollcall', 'post-koa', 0.25),
    ...below('POST p99', valid.get('post-rollcall')?.p99.median, 'ms', 50),
    ...ratio('DELETE 403 / bare Koa, constant', 'delete-403-rollcall', 'delete-403-koa', 0.3),
    ...ratio('DELETE 204 / bare durable delete', 'delete-204-rollcall', 'delete-204-group-commit', 0.5),
    ...below('start to ready', starts?.rollcallFirst.median, 'ms', 1_000),
    ...below('resident memory under load', memory.length > 0 ? Math.max(...memory) / 1e6 : undefined, 'MB', 250),
  ]
}
