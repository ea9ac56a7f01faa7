import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { OpenedService } from './opened-service.ts'
import type { Problem } from './problem.ts'
import type { PersonPromised } from './promises.ts'

/** As the client makes them. */
const ADDRESS = /person-\d+@example\.com/g

/** Cleans up as every start does: afterwards nothing of an erased person may be left in any file. */
export const problemsOfErasure = async (
  { transport, storage, readers, dataDir }: OpenedService,
  persons: readonly PersonPromised[],
): Promise<Problem[]> => {
  if ('sweep' in transport && transport.sweep instanceof Function) await transport.sweep(readers)
  await storage.completeErasure?.()
  await storage.truncateLog?.()
  const erased = new Set(persons.filter(isErased).map(({ person }) => person.email))
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const addresses = new Set(readFileSync(path.join(parentPath, name), 'latin1').match(ADDRESS))
    return [...addresses]
      .filter((email) => erased.has(email))
      .map((email): Problem => ({ invariant: 'I5', message: `${email} was erased, and is in ${name}` }))
  })
}

const isErased = ({ possible }: PersonPromised): boolean =>
  possible.every(({ subscription, user }) => subscription === undefined && user === 'deleted')
