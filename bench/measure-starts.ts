import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { floor } from './cases/floors.ts'
import type { Cores } from './command.ts'
import { rollcall } from './rollcall/rollcall.ts'
import { Server, type ServerOrder } from './server.ts'
import { type Spread, spread } from './statistics.ts'

const ROUNDS = 10

/** Milliseconds from spawning a process to its first good answer. */
export interface Starts {
  readonly nodeHttp: Spread
  /** In an empty folder, with keys and schema to create. */
  readonly rollcallFirst: Spread
  readonly rollcallAgain: Spread
}

export const measureStarts = async (scratch: string, cores: Cores): Promise<Starts> => {
  const times = { nodeHttp: [] as number[], rollcallFirst: [] as number[], rollcallAgain: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const folder = path.join(scratch, `start-${round}`)
    await mkdir(folder)
    times.nodeHttp.push(await startAndStop(await floor('node-http', folder), cores))
    times.rollcallFirst.push(await startAndStop(await rollcall(folder, {}), cores))
    times.rollcallAgain.push(await startAndStop(await rollcall(folder, {}), cores))
  }
  return {
    nodeHttp: spread(times.nodeHttp),
    rollcallFirst: spread(times.rollcallFirst),
    rollcallAgain: spread(times.rollcallAgain),
  }
}

const startAndStop = async (order: Omit<ServerOrder, 'core'>, { server: core }: Cores): Promise<number> => {
  await using server = await Server.start({ ...order, core })
  await server.stop('SIGTERM')
  return server.startedIn
}
