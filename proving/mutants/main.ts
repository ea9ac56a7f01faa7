import os from 'node:os'
import path from 'node:path'
import { judge, runCheck, UsageError } from '../shared/check.ts'
import type { Report } from '../shared/report.ts'
import { GROUPS, type Group } from './groups.ts'
import { type FileScore, runMutants, scoreOf } from './run-mutants.ts'

/** Of a hundred changes, those that no test has noticed; `most` may be left. */
const reportOf = ({ name }: Group, scores: readonly FileScore[], most?: number): Report => {
  const unnoticed = (some: readonly FileScore[]) => 100 - scoreOf(some)
  const files = scores.map((score) => {
    const note = score.survivors.join('\n  ') || undefined
    return { figure: `${score.file}, of ${score.all}`, found: unnoticed([score]), bound: undefined, unit: '%', note }
  })
  return { name, store: '', rows: [...files, { figure: 'all', found: unnoticed(scores), bound: most, unit: '%' }] }
}

await runCheck({
  name: 'check:mutants',
  about: `Changes the core at one place after another, and looks whether a test notices. Prints how many of a hundred changes were
not noticed, by file, and which.`,
  options: { file: ['', 'only this file, from packages/core, such as src/access/admit.ts, and no bar'] },
  parts: GROUPS,
  run: async (given) => {
    const workers = os.availableParallelism()
    const file = given.text('file')
    if (file !== '') {
      const group = GROUPS.find(({ files }) => files.some((pattern) => path.matchesGlob(file, pattern)))
      if (group === undefined) throw new UsageError(`'${file}' is no file of the core, such as src/access/admit.ts.`)
      return judge([reportOf(group, await runMutants({ group, file, workers, output: 2 }))])
    }
    const reports: Report[] = []
    for (const group of given.parts)
      reports.push(reportOf(group, await runMutants({ group, workers, output: 2 }), 100 - group.bar))
    return judge(reports)
  },
})
