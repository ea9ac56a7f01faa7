import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { type Injection, injectedProcess } from '../fault-injection/fault-injection.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const SOURCE = path.join(ROOT, 'packages/app/src/main.ts')

/** What is started as the service. */
export interface Program {
  /** After `node`: what comes before the arguments of the service. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * The service from its source, with this injection; `file` is made for it.
 * @throws {Error} a text to be replaced is not in the source exactly once
 */
export const fromSource = (injection: Injection = {}, file = ''): Program => {
  const { args, env } = injectedProcess(injection, file)
  return { args: [...args, SOURCE], env }
}

/** What ships, built into this folder. It must be below the project, where packages are found. */
export const built = (folder: string): Program => {
  const out = path.join(folder, 'built')
  execFileSync(process.execPath, [path.join(ROOT, 'packages/rollcall/build.ts'), out], { stdio: ['ignore', 2, 2] })
  return { args: ['--max-semi-space-size=8', path.join(out, 'dist/main.js')], env: {} }
}
