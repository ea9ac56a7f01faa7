import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from './options.ts'

const BUILD = path.join(import.meta.dirname, '../../packages/rollcall/build.ts')

/**
 * The command of a packed release: of the folder itself, or installed in it.
 * @throws {UsageError} there is none
 */
export const programIn = (folder: string): string => {
  const places = ['bin/rollcall.cjs', 'node_modules/rollcall/bin/rollcall.cjs'].map((file) =>
    path.resolve(folder, file),
  )
  const found = places.find((file) => existsSync(file))
  if (found === undefined) throw new UsageError(`There is no packed release in ${folder}: ${places.join(', ')}.`)
  return found
}

/** The command of this clone, built into the folder as it is published. Packages must be found from there. */
export const buildProduct = (folder: string): string => {
  execFileSync(process.execPath, [BUILD, folder], { stdio: ['ignore', 2, 2] })
  return programIn(folder)
}
