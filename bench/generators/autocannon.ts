import path from 'node:path'
import { run } from '../command.ts'
import type { LoadOrder, LoadReport } from '../load.ts'

const PROCESS = path.join(import.meta.dirname, 'autocannon-process.ts')

/** Autocannon in a process of its own, so that it can be kept on a core of its own. */
export const measureWithAutocannon = async (order: LoadOrder): Promise<LoadReport> =>
  JSON.parse(await run(process.execPath, [PROCESS, JSON.stringify(order)], order.core))
