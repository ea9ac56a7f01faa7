import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { plantedProcess } from '../plant/planted-process.ts'
import type { Planting } from '../plant/planting.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const SOURCE = path.join(ROOT, 'packages/app/src/main.ts')

/** What is started as the service. */
export interface Program {
  /** After `node`: what comes before the arguments of the service. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * The service from its source, with these changes; `list` is a file that is made for them.
 * @throws {Error} one of the changes finds not what it is to change
 */
export const fromSource = (plantings: readonly Planting[], list: string): Program => {
  const { args, env } = plantedProcess(plantings, list)
  return { args: [...args, SOURCE], env }
}

/** What ships, built into this folder. It must be below the project, where packages are found. */
export const built = (folder: string): Program => {
  const out = path.join(folder, 'built')
  execFileSync(process.execPath, [path.join(ROOT, 'packages/rollcall/build.ts'), out], { stdio: ['ignore', 2, 2] })
  return { args: ['--max-semi-space-size=8', path.join(out, 'dist/main.js')], env: {} }
}
