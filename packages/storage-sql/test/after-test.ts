import { afterEach } from 'vitest'

const undo: (() => void | Promise<void>)[] = []

/** To be done after the test, last first. */
export const afterTest = (task: () => void | Promise<void>): void => {
  undo.push(task)
}

export const cleanUpAfterEachTest = (): void => {
  afterEach(async () => {
    for (const task of undo.splice(0).reverse()) await task()
  })
}
