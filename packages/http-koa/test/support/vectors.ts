import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = path.resolve(import.meta.dirname, '../../../../../shared/vectors')

/** Test vectors from beside the project; none if they are not there. */
export const vectors = <T>(name: string): readonly T[] => {
  const file = path.join(FOLDER, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly T[]) : []
}
