import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { built, type Program } from './service.ts'

/** Builds the product on first use; below the project, where packages are found. */
export const builtOnce = (log: (line: string) => void): (() => Program) => {
  let program: Program | undefined
  return () => {
    if (program === undefined) {
      const cache = path.join(import.meta.dirname, '../../node_modules/.cache')
      mkdirSync(cache, { recursive: true })
      const folder = mkdtempSync(path.join(cache, 'proving-'))
      process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
      log('building the product')
      program = built(folder)
    }
    return program
  }
}
