import { execFileSync } from 'node:child_process'
import path from 'node:path'

const BUILD = path.join(import.meta.dirname, '../../packages/rollcall/build.ts')

/** Builds what ships into this folder; the program that starts it. */
export const buildProduct = (folder: string): string => {
  execFileSync(process.execPath, [BUILD, folder], { stdio: 'inherit' })
  return path.join(folder, 'bin/rollcall.cjs')
}
