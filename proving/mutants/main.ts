import os from 'node:os'
import path from 'node:path'
import { runCheck, UsageError } from '../shared/check.ts'
import { GROUPS, type Group } from './groups.ts'
import { runMutants } from './run-mutants.ts'

const isEnough = async (group: Group, file?: string): Promise<boolean> => {
  const say = (text: string): void => void process.stdout.write(text)
  return (await runMutants({ group, file, workers: os.availableParallelism(), say })).isEnough
}

await runCheck({
  name: 'check:mutants',
  about: `Changes the core at one place after another, and looks whether a test notices. Prints how many of a hundred changes were
noticed, by file, and which were not.`,
  options: { file: ['', 'only this file, from packages/core, such as src/access/admit.ts, and no bar'] },
  parts: GROUPS,
  run: async (given) => {
    const file = given.text('file')
    if (file !== '') {
      const group = GROUPS.find(({ files }) => files.some((pattern) => path.matchesGlob(file, pattern)))
      if (group === undefined) throw new UsageError(`'${file}' is no file of the core, such as src/access/admit.ts.`)
      return await isEnough(group, file)
    }
    let all = true
    for (const group of given.parts) all = (await isEnough(group)) && all
    return all
  },
})
