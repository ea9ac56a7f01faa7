import type { UnitOfWork } from '../src/index.ts'
import type { Service } from './cast.ts'

export const STORAGE_DOWN = new Error('storage down')
export const down = () => Promise.reject(STORAGE_DOWN)

const replaceRun = ({ storage: { unitOfWork } }: Service, replacement: UnitOfWork['run']) => {
  const { run } = unitOfWork
  Object.assign(unitOfWork, { run: replacement })
  return (): void => {
    Object.assign(unitOfWork, { run })
  }
}

/** No unit runs, until what this returns is called. */
export const breakStorage = (at: Service) => replaceRun(at, down)

/** Each unit commits, but does not resolve until the returned function is called. */
export const loseAnswers = (at: Service) => {
  const { run } = at.storage.unitOfWork
  return replaceRun(at, async (work) => {
    await run(work)
    throw new Error('the answer was lost')
  })
}
