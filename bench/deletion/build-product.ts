import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const APP = path.join(import.meta.dirname, '../../packages/app')

/** Builds what ships, below this folder; the program that starts it. */
export const buildProduct = (folder: string): string => {
  mkdirSync(folder)
  execFileSync(process.execPath, [path.join(APP, 'build.ts'), path.join(folder, 'dist')], { stdio: 'inherit' })
  cpSync(path.join(APP, 'bin'), path.join(folder, 'bin'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  return path.join(folder, 'bin/rollcall.cjs')
}
