import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, UsageError, understood, whole } from '../shared/command.ts'
import { textTable } from '../shared/text-table.ts'
import { GROUPS, type Group } from './groups.ts'
import { type FileScore, runMutants, scoreOf } from './run-mutants.ts'

const BELOW = 3
const NAMES = GROUPS.map(({ name }) => name)

const USAGE = `Usage: npm run check:mutants -- [options]

Changes the core at one place after another, and looks whether a test notices. Prints how many of a hundred changes were
noticed for each file, and those that were not. Exits with 3 if a group has less than it should. See proving/README.md.

  --only <group>    only this group; may be repeated (default: all)
${GROUPS.map(({ name, bar }) => `                    ${name}: at least ${bar}`).join('\n')}
  --file <path>     only this file, from packages/core, and no bar
  --workers <n>     how many changes are tried at a time (default: one for each processor)
  --help            print this help

Examples:
  npm run check:mutants -- --only decisions
  npm run check:mutants -- --file src/access/admit.ts
`

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [...NAMES] as string[] },
  file: { type: 'string' },
  workers: { type: 'string', default: `${os.availableParallelism()}` },
  help: { type: 'boolean', default: false },
} as const

const printed = (name: string, scores: readonly FileScore[]): string => {
  const rows = scores.map((score) => [score.file, scoreOf([score]).toFixed(1), score.all])
  const table = textTable({
    head: ['file', 'noticed %', 'changes'],
    rows: [...rows, [name, scoreOf(scores).toFixed(1), scores.reduce((sum, { all }) => sum + all, 0)]],
    right: (column) => column > 0,
  })
  return `${[...scores.flatMap(({ survivors }) => survivors), '', table].join('\n')}\n`
}

await runCommand('check:mutants', async (args) => {
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const unknown = values.only.find((name) => !NAMES.some((known) => known === name))
  if (unknown !== undefined) throw new UsageError(`There is no group '${unknown}', only ${NAMES.join(' and ')}.`)
  const workers = Math.max(1, whole('workers', values.workers))
  const scored = ({ name }: Group, scores: readonly FileScore[]): number => {
    process.stdout.write(printed(name, scores))
    return scoreOf(scores)
  }
  const { file } = values
  if (file !== undefined) {
    const group = GROUPS.find(({ files }) => files.some((pattern) => path.matchesGlob(file, pattern)))
    if (group === undefined) throw new UsageError(`'${file}' is no file of the core, such as src/access/admit.ts.`)
    scored(group, await runMutants({ group, file, workers, output: 2 }))
    return 0
  }
  const wanted = GROUPS.filter(({ name }) => values.only.includes(name))
  let isGood = true
  for (const group of wanted)
    isGood = scored(group, await runMutants({ group, workers, output: 2 })) >= group.bar && isGood
  return isGood ? 0 : BELOW
})
